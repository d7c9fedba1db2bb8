import { manualClock } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { callerKinds } from '@hearth/rpc';
import { createLogger } from '@hearth/telemetry';
import { beforeEach, expect, test } from '@jest/globals';
import type { Credential } from '../credentials/module.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';

const clock = manualClock(new Date(1_000));
const log = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
const credentialOf = (id: string, kind = callerKinds.AI): Credential => ({
  digest: Buffer.from(id.padEnd(32)).toString('base64'),
  key: id,
  caller: { kind, id } as Credential['caller'],
});

let told: { ai: string; waitedAt: bigint; checkedAt: bigint }[][];
let fails: boolean;
let seen: LastSeen;

beforeEach(() => {
  told = [];
  fails = false;
  seen = createLastSeen({
    identity: {
      noteSeen: async ({ sightings = [] }) => {
        if (fails) throw unavailable('identity is away');
        told.push(sightings as never);
        return {} as never;
      },
    },
    clock,
    log,
  });
});

test('sends the latest sighting of each caller once, and nothing without sightings', async () => {
  const robin = credentialOf('robin');
  seen.note(robin, 'waited');
  clock.advance(500);
  seen.note(robin, 'waited');
  seen.note(robin, 'checked');
  seen.note(credentialOf('wren'), 'used');
  const place = { device: 'Firefox on Linux', network: '203.0.113.0/24' };
  seen.note(credentialOf('ann', callerKinds.PERSON), 'used', place);
  seen.note(credentialOf('operator', callerKinds.OPERATOR), 'used');
  await seen.flush();
  await seen.flush();
  expect(told).toMatchObject([
    [
      { ai: 'robin', waitedAt: 1_500n, checkedAt: 1_500n },
      { ai: 'wren', waitedAt: 0n, checkedAt: 0n },
      { ai: '', credentialHash: Buffer.from('ann'.padEnd(32)), ...place },
    ],
  ]);
});

test('sends in batches, is bounded, and never throws', async () => {
  for (let index = 0; index < 25_000; index += 1) seen.note(credentialOf(`ai-${index}`), 'used');
  await seen.flush();
  expect(told.map((piece) => piece.length)).toEqual(Array(20).fill(1_000));
  fails = true;
  seen.note(credentialOf('robin'), 'used');
  await expect(seen.flush()).resolves.toBeUndefined();
});
