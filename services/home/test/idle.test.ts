import { setTimeout as sleep } from 'node:timers/promises';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { afterAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/** An idle home, measured by counts. CPU is measured in bench/cases/idle.ts. */

const sampleMs = 11_000;
const perSecond = 1;
const spansAMinute = 10;

const telemetry = await recordTelemetry();
const query = jest.spyOn(pg.Client.prototype, 'query');
const whole = await startWholeHome();
const startedAt = performance.now();
const robin = await whole.signUp({ name: 'Robin' });

afterAll(async () => {
  await whole.stop();
  await telemetry.stop();
});

const statements = () =>
  query.mock.calls.map(([statement]) => {
    const { name, text } = statement as { name?: string; text?: string };
    return name ?? text ?? statement;
  });

test('an idle home runs at most one statement a second, and leaves no span for empty checks', async () => {
  await robin.get('/v0/ais/me');
  // Every job first runs within a minute of the start.
  await sleep(startedAt + 62_000 - performance.now());
  query.mockClear();
  telemetry.reset();
  await sleep(sampleMs);
  const spans = telemetry
    .spans()
    .map(({ name, attributes }) => `${name} ${attributes['db.query.summary'] ?? ''}`);
  const most = { statements: (perSecond * sampleMs) / 1_000, spans: (spansAMinute * sampleMs) / 60_000 };
  expect(statements().slice(most.statements)).toEqual([]);
  expect(spans.slice(most.spans)).toEqual([]);
});
