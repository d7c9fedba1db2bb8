import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { isExported } from './start.ts';

const index = new URL('./index.ts', import.meta.url).href;

/** Runs `body` in its own process, with the package imported and every loaded module recorded. */
async function runChild(body: string, env: Record<string, string> = {}) {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const telemetryPackage = await import(${JSON.stringify(index)});
    const { createLogger, recordOutboxLag, recordRequest, span, startTelemetry } = telemetryPackage;
    ${body}
  `;
  const args = ['--no-warnings', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null');
}

const start = `
  const telemetry = await startTelemetry({ env: process.env, service: 'messages', instance: 'one' });
`;
const use = `
  await span('work', {}, async () => recordOutboxLag({ service: 'messages', seconds: 1 }));
`;

describe('startTelemetry', () => {
  test('without an endpoint loads no SDK and opens no connection', async () => {
    const seen = await runChild(
      `
      ${start}
      createLogger({ level: 'info', service: 'messages', stream: { write() {} } }).info('x');
      ${use}
      console.log(JSON.stringify({
        sdk: loaded.filter((url) => /sdk|exporter|otlp/.test(url)),
        loadedSome: loaded.length > 10,
        resources: process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap)$/.test(name)),
      }));
    `,
      { OTEL_SERVICE_NAME: 'named' },
    );
    expect(seen).toEqual({ sdk: [], loadedSome: true, resources: [] });
  });

  test('exports traces and metrics to the configured endpoint, at the latest at shutdown', async () => {
    const received: { path: string | undefined; body: string }[] = [];
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url, body: Buffer.concat(chunks).toString('latin1') });
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = collector.address() as AddressInfo;
      await runChild(`${start} ${use} await telemetry.shutdown(); console.log('null');`, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      });
    } finally {
      await new Promise((resolve) => collector.close(resolve));
    }
    expect(received.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces']);
    const traces = received.find(({ path }) => path === '/v1/traces')?.body ?? '';
    expect(traces).toContain('"work"');
    expect(traces).toMatch(/"service.name","value":\{"stringValue":"messages"/);
    expect(traces).not.toContain('process.command');
  });

  test('a missing collector is logged, and does not delay shutdown', async () => {
    const seen = await runChild(
      `
      const lines = [];
      const stream = { write: (line) => lines.push(JSON.parse(line).level) };
      const logger = createLogger({ level: 'warn', service: 'messages', stream });
      const telemetry = await startTelemetry({ env: process.env, service: 'messages', instance: 'one', logger });
      ${use}
      await telemetry.shutdown();
      console.log(JSON.stringify({ levels: [...new Set(lines)] }));
    `,
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    );
    expect(seen.levels).toEqual(['warn']);
  });
});

describe('a signal is exported', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  test.each([
    [{}, [false, false]],
    [{ OTEL_SERVICE_NAME: 'x' }, [false, false]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, [false, false]],
    [endpoint, [true, true]],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, [true, false]],
    [{ ...endpoint, OTEL_METRICS_EXPORTER: 'none' }, [true, false]],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, [false, false]],
    [{ OTEL_METRICS_EXPORTER: 'prometheus' }, [false, true]],
  ])('%j: traces and metrics %j', (env, expected) => {
    expect([isExported('TRACES', env), isExported('METRICS', env)]).toEqual(expected);
  });
});
