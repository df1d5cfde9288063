"""renew.py: replaces the libraries in this folder by those of Debian's packages and writes their versions to
versions.txt.

It needs apt-get, dpkg-deb and pip. rjsmin removes comments and spaces from scripts. Only the files listed below are
shipped.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# By package: the folder here, and the package's files that go there.
PACKAGES = {
    "libjs-codemirror": ("codemirror", [
        "usr/share/javascript/codemirror/lib/codemirror.js", "usr/share/javascript/codemirror/lib/codemirror.css",
        "usr/share/javascript/codemirror/mode/clike/clike.js",
        "usr/share/javascript/codemirror/addon/edit/matchbrackets.js"]),
}


def license_of(copyright_file: str) -> str:
    """The copyright holders of most files of a Debian package, and the text of its MIT licence ("Expat")."""
    paragraphs = copyright_file.replace("\n .\n", "\n\n").split("\n\n")
    holder = next(each for each in paragraphs if "Files: *" in each)
    begin = copyright_file.index("\nLicense: Expat\n Permission")
    text = copyright_file[begin:].split("\n", 2)[2].split("\n\n")[0]
    lines = [line[1:] if line != " ." else "" for line in text.split("\n")]
    owners = [line.replace("Copyright: ", "").strip() for line in holder.split("\n") if "Copyright: " in line]
    return "\n".join(["MIT licence", *(f"Copyright (C) {owner}" for owner in owners), "", *lines]).rstrip() + "\n"


def minify(scripts: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", work, "rjsmin==1.3.0"], check=True)
        for script in scripts.glob("*.js"):
            done = subprocess.run([sys.executable, "-m", "rjsmin"], cwd=work, input=script.read_bytes(), check=True,
                                  stdout=subprocess.PIPE)
            script.write_bytes(done.stdout + b"\n")


def main() -> None:
    versions = []
    for package, (folder, names) in PACKAGES.items():
        with tempfile.TemporaryDirectory() as work:
            subprocess.run(["apt-get", "download", "-q", package], cwd=work, check=True)
            archive = next(pathlib.Path(work).glob("*.deb"))
            subprocess.run(["dpkg-deb", "-x", archive.name, "x"], cwd=work, check=True)
            target = FOLDER / folder
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            for name in names:
                shutil.copyfile(pathlib.Path(work, "x", name), target / pathlib.Path(name).name)
            text = pathlib.Path(work, f"x/usr/share/doc/{package}/copyright").read_text(encoding="utf-8")
            (target / "LICENSE").write_text(license_of(text), encoding="utf-8")
            version = subprocess.run(["dpkg-deb", "-f", archive.name, "Version"], cwd=work, check=True,
                                     stdout=subprocess.PIPE).stdout.decode().strip()
            minify(target)
            versions.append(f"{folder}: Debian's {package} {version}")
    (FOLDER / "versions.txt").write_text("\n".join(versions) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
