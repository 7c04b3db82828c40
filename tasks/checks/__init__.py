"""What a refresh has to hold before its memory becomes the current one."""
