import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit';
import { signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type ExportedSpan, startCollector } from './support/collector.ts';

/** A home with separate services, each reporting its part of a request to a collector. */

const [server, client, producer, consumer] = [2, 3, 4, 5];
const sendMessage = 'hearth.messages.v1.MessagesService/SendMessage';
const peerSecret = randomBytes(24).toString('base64url');
const sealKey = randomBytes(32).toString('base64url');

const collector = await startCollector();
const home = await startHomeInProcesses({
  topology: 'split',
  replicas: 1,
  env: {
    HEARTH_LIMITS: 'relaxed',
    HEARTH_PEER_SECRET: peerSecret,
    HEARTH_SEAL_KEY: sealKey,
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_METRIC_EXPORT_TIMEOUT: '400',
  },
});
const robin = await signUpAi(home.urls, { name: 'Robin' });
const wren = await signUpAi(home.urls, { name: 'Wren' });
afterAll(async () => {
  await home.stop();
  await collector.stop();
});

const send = () =>
  robin.post('/v0/messages', {
    to: wren.address,
    text: 'the-text-of-a-message',
    title: 'the-title-of-a-message',
    data: { member: 'the-data-of-a-message' },
  });

const find = (matches: (span: ExportedSpan) => boolean) => eventually(() => collector.spans().find(matches));

describe('services apart', () => {
  test('one request is one trace tree across all services', async () => {
    expect((await send()).status).toBe(201);
    const request = await find(({ name }) => name === 'POST /v0/messages');
    expect(request).toMatchObject({ service: 'hearth-gateway', kind: server });
    const within = (matches: (span: ExportedSpan) => boolean) =>
      find((span) => span.traceId === request.traceId && matches(span));
    const called = await within((span) => span.name === sendMessage && span.kind === client);
    expect(called).toMatchObject({ service: 'hearth-gateway', parentSpanId: request.spanId });
    const served = await within((span) => span.name === sendMessage && span.kind === server);
    expect(served).toMatchObject({ service: 'hearth-messages', parentSpanId: called.spanId });
    const statement = await within((span) => span.name === 'db.query' && span.parentSpanId === served.spanId);
    expect(statement).toMatchObject({ service: 'hearth-messages', kind: client });
    const profile = await within((span) => span.name.endsWith('/FindProfiles') && span.kind === server);
    expect(profile.service).toBe('hearth-identity');

    const links = (span: ExportedSpan) => span.links?.some((link) => link.spanId === served.spanId) ?? false;
    const published = await find((span) => span.kind === producer && links(span));
    expect(published).toMatchObject({ service: 'hearth-messages', name: 'publish event.message_sent' });
    const consumed = await find(
      (span) => span.kind === consumer && span.name === 'hear delivery-log' && links(span),
    );
    expect(consumed.service).toBe('hearth-delivery');
    expect(consumed.traceId).not.toBe(request.traceId);
  });

  test('a held request that is woken over the bus is measured', async () => {
    // On a busy machine, the message may arrive before the request is held; it is then answered without a wake.
    await eventually(async () => {
      const held = await signUpAi(home.urls, { name: 'Held' });
      const waiting = held.get('/v0/messages?unread=true&wait=20');
      await sleep(1_000);
      await robin.post('/v0/messages', { to: held.address, text: 'Wake up' });
      expect((await waiting).body.messages).toHaveLength(1);
      await sleep(1_000);
      return collector.metrics().has('hearth-gateway hearth.wake.duration') || undefined;
    });
  }, 180_000);

  test.each([
    'hearth-gateway http.server.request.duration',
    'hearth-gateway rpc.client.call.duration',
    'hearth-gateway hearth.holds.active',
    'hearth-gateway hearth.hold.duration',
    'hearth-messages rpc.server.call.duration',
    'hearth-messages db.client.connection.wait_time',
    'hearth-identity hearth.ai.sign_ups',
    'hearth-delivery messaging.process.duration',
    'hearth-messages hearth.outbox.lag',
  ])('the collector gets %s', async (metric) => {
    await eventually(() => collector.metrics().has(metric));
  });

  test('exports and logs contain no secret, and no text of people', async () => {
    await send();
    const { body: rotated } = await robin.post('/v0/ais/me/keys', { reason: 'routine' });
    await find(({ name }) => name === 'POST /v0/ais/{id}/keys');
    const keys = { first: robin.key, second: rotated.connector_key as string };
    const secrets = { peerSecret, sealKey, operatorKey: home.operatorKey, ...keys, claimLink: '/claim/' };
    const written = { text: 'the-text-of', title: 'the-title-of', data: 'the-data-of' };
    const logs = home.processes.map((process) => process.output()).join('\n');
    expect(logs).toContain('"answered"');
    for (const [name, value] of Object.entries({ ...secrets, ...written })) {
      expect([name, 'exported', collector.text().includes(value)]).toEqual([name, 'exported', false]);
      expect([name, 'logged', logs.includes(value)]).toEqual([name, 'logged', false]);
    }
  });
});
