"""Both environments as Terraform would create them, each worked out once."""

from __future__ import annotations

import pytest

from tests.support.terraform import Created, copied, created


@pytest.fixture(scope="session")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Created:
    return created(copied(tmp_path_factory.mktemp("dev")), "dev")


@pytest.fixture(scope="session")
def prod(tmp_path_factory: pytest.TempPathFactory) -> Created:
    return created(copied(tmp_path_factory.mktemp("prod")), "prod")
