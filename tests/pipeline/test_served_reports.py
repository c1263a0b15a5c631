"""The faces that show the reports, as processes of the functions framework over one archive."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import httpx
from pydantic_core import to_json

from shared.accounting.usage_record import day_folder
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.context import utc_now
from tests.support.framework import addresses, framework
from tests.support.pubsub import PROJECT, own_environment, quick
from tests.support.usage import DAY, mixed


def test_ask_and_reports_tell_the_same_of_the_archives_records(firestore_emulator, pubsub_emulator, tmp_path):
    archive, urls = FolderArchive(tmp_path / "archive"), addresses(["ask", "reports"])
    moved = utc_now() - timedelta(hours=2) - DAY.start

    async def keep() -> None:
        for record in mixed(20).records:
            asked_at = DAY.start + (record.asked_at - DAY.start) / 24 + moved
            now = record.model_copy(update={"asked_at": asked_at})
            await archive.put(f"{day_folder(asked_at)}{record.run_id}.json", to_json(now))

    asyncio.run(keep())
    environment = {
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "NEURALKG_ENVIRONMENT": quick(own_environment()).environment,
        "NEURALKG_ARCHIVE": str(archive.folder),
        "NEURALKG_FINDER_URL": "http://127.0.0.1:1",
        **firestore_emulator.environment,
        **pubsub_emulator.environment,
    }
    with framework(urls, environment, tmp_path) as functions, httpx.Client(timeout=60) as client:
        billing = client.get(f"{urls['reports']}/billing").json()
        scaling = client.get(f"{urls['reports']}/scaling").json()
        costs = client.get(f"{urls['ask']}/costs", params={"view": "json"}).json()
        page = client.get(f"{urls['ask']}/usage")
        health = client.get(f"{urls['reports']}/health")
    assert functions.codes == dict.fromkeys(urls, 0)
    assert health.headers["x-function"].startswith("reports/")
    assert billing["runs"] == scaling["runs"] == costs["runs"] == 20
    assert billing["totals"]["model_usd"] == costs["totals"]["model_usd"] != "0"
    assert "20 questions" in page.text
