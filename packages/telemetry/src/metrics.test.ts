import { describe, expect, test } from '@jest/globals';
import {
  recordCall,
  recordConsumed,
  recordHoldEnd,
  recordHoldStart,
  recordOutbound,
  recordOutboxLag,
  recordPoolWait,
  recordRequest,
  recordSetAside,
  recordWake,
} from './index.ts';
import { recordTelemetry } from './testing.ts';

function recordEverything() {
  recordRequest({
    operation: 'send_message',
    method: 'POST',
    route: '/v0/messages',
    status: 201,
    seconds: 0.012,
  });
  recordRequest({
    operation: 'send_message',
    method: 'POST',
    route: '/v0/messages',
    status: 503,
    seconds: 2,
  });
  recordCall({ side: 'server', method: 'hearth.messages.v1.MessagesService/SendMessage', seconds: 0.002 });
  recordCall({
    side: 'client',
    method: 'hearth.messages.v1.MessagesService/SendMessage',
    kind: 'forbidden',
    seconds: 0.003,
  });
  recordHoldStart({ operation: 'list_messages' });
  recordHoldStart({ operation: 'list_messages' });
  recordHoldEnd({ operation: 'list_messages', outcome: 'woken', seconds: 3 });
  recordWake({ operation: 'list_messages', seconds: 0.0008 });
  recordOutboxLag({ service: 'messages', seconds: 1.5 });
  recordOutboxLag({ service: 'messages', seconds: 0.5 });
  recordSetAside({ service: 'messages', events: 2 });
  recordPoolWait({ pool: 'messages', seconds: 0.001 });
  recordConsumed({ consumer: 'delivery', seconds: 0.01 });
  recordOutbound({ method: 'POST', category: 'timeout', seconds: 5 });
}

describe('metrics', () => {
  test('use the names and attributes of the conventions', async () => {
    recordEverything();
    const telemetry = await recordTelemetry();
    try {
      recordEverything();
      const points = new Map(
        (await telemetry.metrics()).map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ value, attributes }) => ({
            value: typeof value === 'object' && 'sum' in value ? value.sum : value,
            attributes,
          })),
        ]),
      );
      expect([...points.keys()].sort()).toEqual([
        'db.client.connection.wait_time',
        'hearth.hold.duration',
        'hearth.holds.active',
        'hearth.outbox.lag',
        'hearth.outbox.set_aside',
        'hearth.wake.duration',
        'http.client.request.duration',
        'http.server.request.duration',
        'messaging.process.duration',
        'rpc.client.call.duration',
        'rpc.server.call.duration',
      ]);
      const request = {
        'http.request.method': 'POST',
        'http.route': '/v0/messages',
        'hearth.operation': 'send_message',
      };
      expect(points.get('http.server.request.duration')).toEqual([
        { value: 0.012, attributes: { ...request, 'http.response.status_code': 201 } },
        { value: 2, attributes: { ...request, 'http.response.status_code': 503, 'error.type': '503' } },
      ]);
      expect(points.get('rpc.client.call.duration')?.[0]?.attributes).toMatchObject({
        'rpc.status_code': 'PERMISSION_DENIED',
        'error.type': 'forbidden',
      });
      expect(points.get('rpc.server.call.duration')?.[0]?.attributes).toMatchObject({
        'rpc.status_code': 'OK',
      });
      expect(points.get('hearth.holds.active')).toEqual([
        { value: 1, attributes: { 'hearth.operation': 'list_messages' } },
      ]);
      expect(points.get('hearth.outbox.lag')).toEqual([
        { value: 0.5, attributes: { 'hearth.service': 'messages' } },
      ]);
    } finally {
      await telemetry.stop();
    }
  });

  test('start from zero with each start of telemetry', async () => {
    for (let round = 0; round < 2; round += 1) {
      const telemetry = await recordTelemetry();
      recordOutboxLag({ service: 'messages', seconds: round });
      const [lag] = await telemetry.metrics();
      await telemetry.stop();
      expect(lag?.dataPoints.map(({ value }) => value)).toEqual([round]);
    }
  });

  test('wakes a millisecond apart fall into different buckets', async () => {
    const telemetry = await recordTelemetry();
    recordWake({ operation: 'list_messages', seconds: 0.0025 });
    recordWake({ operation: 'list_messages', seconds: 0.0035 });
    const [wake] = await telemetry.metrics();
    await telemetry.stop();
    const { buckets } = wake!.dataPoints[0]!.value as { buckets: { counts: number[] } };
    expect(buckets.counts.filter((count) => count === 1)).toHaveLength(2);
  });
});
