import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { type Random, systemRandom } from '@hearth/ids';
import { exportPrivateJwk, keyPairFromSeed } from '@hearth/signing';
import type { StartServiceOptions } from '@hearth/testkit';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { federation } from '../src/service.ts';
import { startFederation, type TestFederation } from './start-federation.ts';

let testDatabase: TestDatabase;
let database: Database;
const running: TestFederation[] = [];

beforeEach(async () => {
  testDatabase = await createMigratedDatabase([federation]);
  database = openDatabase({ url: testDatabase.url, clock: manualClock('2026-03-01T12:00:00.000Z') });
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await database.close();
  await testDatabase.drop();
});

async function start(options: StartServiceOptions = {}): Promise<TestFederation> {
  const started = await startFederation({ databaseUrl: testDatabase.url, ...options });
  running.push(started);
  return started;
}

const rows = (text: string) => database.db.query<{ row: string }>({ text });
const kids = async () =>
  (await rows("select kid as row from federation.keys where uses <> '{recovery}'")).map(({ row }) => row);

const documentOf = async (federation: TestFederation) =>
  JSON.parse((await federation.as('gateway').getHomeDocument({})).json) as { keys: { kid: string }[] };

describe('the signing key of a home', () => {
  test('is created at the first start and the same at the next', async () => {
    const first = await start();
    const [kid] = (await documentOf(first)).keys.map((key) => key.kid);
    await running.pop()!.stop();
    const second = await start();
    expect((await documentOf(second)).keys.map((key) => key.kid)[0]).toBe(kid);
    expect(await kids()).toEqual([kid]);
  });

  test('is created once by replicas that start at the same time', async () => {
    const replicas = await Promise.all([start(), start(), start()]);
    expect(await kids()).toHaveLength(1);
    const documents = await Promise.all(replicas.map(documentOf));
    for (const document of documents) expect(document).toEqual(documents[0]);
  });

  test('cannot be read in the database or the logs', async () => {
    const drawn: Buffer[] = [];
    const random: Random = {
      bytes(count) {
        const bytes = Buffer.from(systemRandom.bytes(count));
        drawn.push(Buffer.from(bytes));
        return bytes;
      },
    };
    const federation = await start({ random });
    const [kid] = await kids();
    const seed = drawn.find((bytes) => bytes.length === 32 && keyPairFromSeed(bytes).kid === kid);
    expect(seed).toBeDefined();

    const issued_at = new Date(federation.clock.now()).toISOString();
    const json = JSON.stringify({ v: 1, type: 'card', home: 'hearth.example', issued_at });
    await federation.as('identity').sign({ typ: 'svc-card+jws', json });
    await federation
      .as('identity')
      .sign({ typ: 'svc-card+jws', json: 'nonsense' })
      .catch(() => {});
    const stored = await rows(
      'select k::text as row from federation.keys k union all select d::text from federation.documents d',
    );
    const everything = [...stored.map(({ row }) => row), ...federation.logged].join('\n');
    expect(everything).toContain(kid);
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const) {
      expect(everything).not.toContain(seed!.toString(encoding));
    }
  });

  test('an unknown recovery key is reported at each start', async () => {
    await start();
    const folder = mkdtempSync(join(tmpdir(), 'hearth-stray-'));
    const stray = keyPairFromSeed(Buffer.alloc(32, 9));
    writeFileSync(join(folder, 'recovery.key'), JSON.stringify(exportPrivateJwk(stray)));
    const env = { HEARTH_DATA: folder, HEARTH_RECOVERY_KEY: stray.x };
    try {
      for (let starts = 0; starts < 2; starts += 1) {
        const { logged } = await start({ env });
        const said = logged.filter((line) => line.includes("isn't this home's recovery key"));
        expect(said).toHaveLength(2);
        for (const line of said) expect(line).toContain(stray.kid);
        await running.pop()!.stop();
      }
      writeFileSync(join(folder, 'recovery.key'), '{');
      const { logged } = await start({ env: { HEARTH_DATA: folder } });
      expect(logged.join()).toContain("recovery.key in the data folder isn't this home's recovery key");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('cannot be opened with another seal key, which fails the start', async () => {
    await start();
    const before = await kids();
    const otherKey = Buffer.alloc(32, 8).toString('base64url');
    const starting = start({ env: { HEARTH_SEAL_KEY: otherKey } });
    await expect(starting).rejects.toThrow(
      /secrets of this home cannot be opened: .* sealed with another HEARTH_SEAL_KEY\. Start with the one/,
    );
    expect(await kids()).toEqual(before);
  });

  test('is not opened in the row of another key', async () => {
    await start();
    await database.statement((tx) =>
      tx.execute({ text: "update federation.keys set kid = 'moved' where uses <> '{recovery}'" }),
    );
    await expect(start()).rejects.toThrow(/signing key moved/);
  });
});
