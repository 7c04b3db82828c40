"""What people read: self-contained pages."""
