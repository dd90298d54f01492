"""The table's own certificate, so that nobody else in the Wi-Fi reads along: made once, and signed by nobody else."""

from __future__ import annotations

import hashlib
import socket
import ssl
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from narrator.storage.folders import StorageError, reason, write_atomically

FILE = "certificate.pem"
"""In the data folder: the certificate and its key."""
LASTS = timedelta(days=820)
"""Phones take none that lasts much longer."""
RENEWED = timedelta(days=30)
"""How long before its end a new one is made."""
TOLERANCE = timedelta(days=365)
"""By how much a phone's clock, or a computer's without a battery, may be slow."""
NEEDED = "cryptography>=43"


def table_certificate(folder: Path, now: datetime | None = None) -> Path:
    """The file with the certificate and its key, made if there is none that still holds.

    StorageError, with the cure, if the library for it is missing or the file can neither be read nor written.
    """
    moment = now or datetime.now(UTC)
    path = folder / FILE
    try:
        kept = path.read_bytes()
    except FileNotFoundError:
        kept = b""
    except OSError as fault:
        raise StorageError(f"{path} cannot be read: {reason(fault)}") from fault
    try:
        if not holds(kept, moment):
            write_atomically(path, new_certificate(moment))
    except ImportError as fault:
        raise StorageError(f"--tls needs one more library; install it with: {command()}") from fault
    return path


def command() -> str:
    """What installs the library that is needed."""
    return f'"{sys.executable}" -m pip install "{NEEDED}"'


def fingerprint(path: Path) -> str:
    """The SHA-256 of the certificate, as browsers show it: pairs of digits. StorageError if it cannot be read."""
    try:
        text = path.read_text("utf-8")
        begin = text.index("-----BEGIN CERTIFICATE-----")
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(text[begin:].strip())).hexdigest().upper()
    except (OSError, ValueError) as fault:
        raise StorageError(f"{path} cannot be read: {fault}") from fault
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def holds(kept: bytes, now: datetime) -> bool:
    """Whether a file holds a certificate that is good now and for some time, with its key. ImportError."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        found = x509.load_pem_x509_certificate(kept)
        key = load_pem_private_key(kept, None)
    except (ValueError, TypeError):
        return False
    same = found.public_key() == key.public_key()
    return bool(same and found.not_valid_before_utc <= now < found.not_valid_after_utc - RENEWED)


def new_certificate(now: datetime) -> str:
    """A certificate for this machine with its key, as text (PEM). ImportError."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Narrator")])
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in own_names()])
    begins = now - TOLERANCE
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + LASTS)
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return str((private + made.public_bytes(serialization.Encoding.PEM)).decode("ascii"))


def own_names() -> list[str]:
    """Names of this machine; its addresses change, and are no part of the certificate."""
    short = socket.gethostname().split(".")[0].lower()
    usable = short if short.isascii() and short.replace("-", "").isalnum() else ""
    return list(dict.fromkeys(filter(None, ("localhost", "narrator.local", usable, usable and f"{usable}.local"))))
