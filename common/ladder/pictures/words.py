"""Phrases about requests, for captions and alternative texts."""
from .run import Request


def verb_of(request: Request, active: bool = False) -> str:
    """The verb for a request: passive, as the array "is read", or active, as the lanes "read" it."""
    copied = "copied by cp.async" if request.space == "global" else "filled by cp.async"
    passive = {"load": "read", "store": "written", "copy": copied, "fragment": "read as a fragment",
               "atomic": "updated"}
    acting = {"load": "read", "store": "write", "copy": "copy", "fragment": "read",
              "atomic": "update"}
    return (acting if active else passive)[request.kind]


def lanes_of(request: Request) -> str:
    count = len(request.lanes)
    return (f"The {count} lanes of warp {request.warp}" if count > 1
            else f"One lane of warp {request.warp}")
