"""Objects in a bucket of S3, or of a server that speaks its protocol, with conditional writes.

`pyarrow.fs` has none, so that two writers could not tell who came first (docs/adr/0015).
Credentials, region and endpoint come from the environment, as in `storage/remote.py`.
"""

import datetime
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from storage.errors import ConfigError, WorkspaceError
from storage.remote import SCHEME


class Taken(Exception):
    """Somebody else wrote the object first."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as a listing shows it."""

    path: str
    """Below the prefix."""
    bytes: int
    written: datetime.datetime
    """When it was last written, by the server's clock; with its zone."""


class ObjectStore:
    """The objects below `s3://bucket/prefix`."""

    def __init__(self, url: str) -> None:
        """Name the place; nothing is asked of the server yet.

        Raises:
            ConfigError: the URL names no bucket, or obstore is not installed.
        """
        bucket, _, prefix = url.removeprefix(SCHEME).strip("/").partition("/")
        if not bucket or not url.startswith(SCHEME):
            raise ConfigError(
                f"workspace.path is {url!r}; expected s3://BUCKET or s3://BUCKET/PREFIX."
            )
        self._url = url
        self._obstore, self._store = _opened(bucket, prefix)

    def get(self, path: str) -> tuple[bytes, str] | None:
        """Return an object and its tag, or None if there is none.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        try:
            found = self._obstore.get(self._store, path)
            return bytes(found.bytes()), found.meta["e_tag"]
        except FileNotFoundError:
            return None
        except Exception as error:
            raise self._unreachable(error) from error

    def has(self, path: str) -> bool:
        """Say whether there is an object.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        try:
            self._obstore.head(self._store, path)
        except FileNotFoundError:
            return False
        except Exception as error:
            raise self._unreachable(error) from error
        return True

    def put(self, path: str, data: bytes) -> None:
        """Write an object, whatever stood there.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        self._put(path, data, "overwrite")

    def create(self, path: str, data: bytes) -> str:
        """Write an object that must not exist; returns its tag.

        Raises:
            Taken: it exists.
            WorkspaceError: the server cannot be asked.
        """
        return self._put(path, data, "create")

    def swap(self, path: str, data: bytes, tag: str) -> str:
        """Replace an object that must still have a tag; returns the new tag.

        Raises:
            Taken: it changed since, or is gone.
            WorkspaceError: the server cannot be asked.
        """
        return self._put(path, data, {"e_tag": tag})

    def delete(self, paths: Iterable[str]) -> None:
        """Remove objects; those that are not there are no error.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        for path in paths:
            try:
                self._obstore.delete(self._store, path)
            except FileNotFoundError:
                continue
            except Exception as error:
                raise self._unreachable(error) from error

    def list(self) -> Iterator[StoredObject]:
        """Yield all objects, in no order.

        Raises:
            WorkspaceError: the server cannot be asked.
        """
        try:
            for page in self._obstore.list(self._store, chunk_size=1000):
                for item in page:
                    yield StoredObject(item["path"], item["size"], item["last_modified"])
        except Exception as error:
            raise self._unreachable(error) from error

    def _put(self, path: str, data: bytes, mode: Any) -> str:
        exceptions = self._obstore.exceptions
        try:
            tag: str = self._obstore.put(self._store, path, data, mode=mode)["e_tag"]
            return tag
        except (exceptions.AlreadyExistsError, exceptions.PreconditionError) as error:
            raise Taken(path) from error
        except FileNotFoundError as error:
            if mode not in ("create", "overwrite"):
                raise Taken(path) from error
            raise self._unreachable(error) from error
        except Exception as error:
            raise self._unreachable(error) from error

    def _unreachable(self, error: Exception) -> WorkspaceError:
        return WorkspaceError(
            f"The workspace {self._url} cannot be read or written: {_first_words(error)}. Check "
            "that the bucket exists, and AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, and "
            "AWS_ENDPOINT_URL for a server other than Amazon's."
        )


def _first_words(error: Exception) -> str:
    """Return the beginning of what the client said; the rest holds answers of the server."""
    said = next(iter(str(error).splitlines()), "") or type(error).__name__
    return said[:200].rstrip(". ")


def _opened(bucket: str, prefix: str) -> tuple[Any, Any]:
    try:
        import obstore
        import obstore.exceptions
        from obstore.store import S3Store
    except ImportError as error:
        raise ConfigError(
            "workspace.path is on S3, but obstore is not installed. "
            "Run `pip install 'phrasenet[s3]'`."
        ) from error
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
    options: dict[str, Any] = {"region": region}
    if endpoint:
        options |= {
            "endpoint": endpoint,
            "client_options": {"allow_http": endpoint.startswith("http:")},
        }
    for name, variable in (
        ("access_key_id", "AWS_ACCESS_KEY_ID"),
        ("secret_access_key", "AWS_SECRET_ACCESS_KEY"),
        ("session_token", "AWS_SESSION_TOKEN"),
    ):
        if os.environ.get(variable):
            options[name] = os.environ[variable]
    return obstore, S3Store(bucket, prefix=prefix or None, **options)
