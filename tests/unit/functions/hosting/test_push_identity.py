"""Whose pushed requests are let in."""

from __future__ import annotations

import base64
import json
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt
from starlette.requests import Request

from functions.hosting.push import PushReceiver
from functions.hosting.push_identity import CertificatesUnavailable, PushIdentity
from shared.runtime.messages import read_question

ACCOUNT = "neuralkg-dev-push@project-one.iam.gserviceaccount.com"
AUDIENCE = "https://ask.example.org"


def signer_and_certificate(key_id: str) -> tuple[crypt.RSASigner, str]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return (
        crypt.RSASigner.from_string(pem.decode(), key_id=key_id),
        certificate.public_bytes(serialization.Encoding.PEM).decode(),
    )


SIGNER, CERTIFICATE = signer_and_certificate("key-1")
OTHER_SIGNER, OTHER_CERTIFICATE = signer_and_certificate("key-1")
LATER_SIGNER, LATER_CERTIFICATE = signer_and_certificate("key-2")


def token(signer=SIGNER, **changes) -> str:
    now = int(time.time())
    claims = {
        "iss": "https://accounts.google.com",
        "aud": AUDIENCE,
        "email": ACCOUNT,
        "email_verified": True,
        "iat": now,
        "exp": now + 3600,
    }
    return jwt.encode(signer, claims | changes).decode()


def unsigned() -> str:
    parts = ({"alg": "none", "typ": "JWT", "kid": "key-1"}, {"email": ACCOUNT})
    coded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*coded, ""])


class Google:
    """Who has the certificates; counts how often it is asked."""

    def __init__(self) -> None:
        self.certificates = {"key-1": CERTIFICATE}
        self.asked = 0
        self.now = 0.0
        self.away = False

    async def __call__(self):
        self.asked += 1
        if self.away:
            raise httpx.ConnectError("away")
        return dict(self.certificates)


def request(authorization: str | None) -> Request:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]

    async def receive():
        return {"type": "http.request", "body": b"x", "more_body": False}

    return Request({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive)


def identity(google: Google, **more) -> PushIdentity:
    return PushIdentity(ACCOUNT, audience=AUDIENCE, fetch=google, clock=lambda: google.now, **more)


async def test_a_token_of_the_account_that_pushes_is_let_in():
    assert await identity(Google())(request(f"Bearer {token()}"))
    assert await identity(Google())(request(f"bearer {token(iss='accounts.google.com')}"))


REFUSED = {
    "none": None,
    "an empty one": "",
    "another scheme": f"Basic {token()}",
    "no token": "Bearer ",
    "no JWT": "Bearer x.y.z",
    "a part of one": f"Bearer {token()[:-20]}",
    "not text": "Bearer \xff\xfe",
    "an unsigned one": f"Bearer {unsigned()}",
    "signed with another key of that name": f"Bearer {token(OTHER_SIGNER)}",
    "signed with an unknown key": f"Bearer {token(LATER_SIGNER)}",
    "another account": f"Bearer {token(email='someone@project-one.iam.gserviceaccount.com')}",
    "an unverified address": f"Bearer {token(email_verified=False)}",
    "an address verified in words": f"Bearer {token(email_verified='true')}",
    "another audience": f"Bearer {token(aud='https://slots.example.org')}",
    "another issuer": f"Bearer {token(iss='https://example.org')}",
    "one that has run out": f"Bearer {token(iat=int(time.time()) - 7200, exp=int(time.time()) - 3600)}",
    "one of the future": f"Bearer {token(iat=int(time.time()) + 3600, exp=int(time.time()) + 7200)}",
}


@pytest.mark.parametrize("name", REFUSED)
async def test_every_other_request_is_refused(name):
    assert not await identity(Google())(request(REFUSED[name]))


async def test_certificates_are_fetched_once_an_hour():
    google = Google()
    allowed = identity(google)
    for google.now in (0.0, 1800.0, 3599.0):
        assert await allowed(request(f"Bearer {token()}"))
    assert google.asked == 1
    google.now = 3700.0
    assert await allowed(request(f"Bearer {token()}"))
    assert google.asked == 2


async def test_a_new_key_is_looked_for_but_not_all_the_time():
    google = Google()
    allowed = identity(google)
    assert await allowed(request(f"Bearer {token()}"))
    google.certificates["key-2"] = LATER_CERTIFICATE
    for _ in range(5):
        assert not await allowed(request(f"Bearer {token(LATER_SIGNER)}"))
    assert google.asked == 1
    google.now = 61.0
    assert await allowed(request(f"Bearer {token(LATER_SIGNER)}"))
    assert google.asked == 2


async def test_known_certificates_outlive_a_time_when_no_new_ones_can_be_had():
    google = Google()
    allowed = identity(google)
    assert await allowed(request(f"Bearer {token()}"))
    google.now, google.away = 4000.0, True
    assert await allowed(request(f"Bearer {token()}"))


async def test_without_certificates_nobody_is_let_in_and_the_message_comes_again():
    google = Google()
    google.away = True
    with pytest.raises(CertificatesUnavailable):
        await identity(google)(request(f"Bearer {token()}"))
    assert (await receiver(identity(google))(request(f"Bearer {token()}"))).status_code == 503


async def test_what_is_refused_is_not_read_and_not_put_among_the_dead_letters():
    refusing = receiver(identity(Google()))
    assert (await refusing(request("Bearer x"))).status_code == 401
    assert refusing.counts == {"refused": 1}
    allowing = receiver(identity(Google()))
    assert (await allowing(request(f"Bearer {token()}"))).status_code == 204
    assert allowing.counts["foreign"] == 1


def receiver(allowed: PushIdentity) -> PushReceiver:
    async def take(received) -> None:
        raise AssertionError(received)

    return PushReceiver(function="ask", reader=read_question, take=take, seconds=5.0, allowed=allowed)
