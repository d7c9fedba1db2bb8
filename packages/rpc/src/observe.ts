import { asHearthError, type ErrorKind } from '@hearth/errors';
import { extractTrace, injectTrace, metering, recordCall, span, tracing } from '@hearth/telemetry';

/** Runs and counts a served call within its caller's trace. Free while nothing is recorded. */
export function observeServed<T>(
  path: string,
  traceparent: string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (!tracing.enabled && !metering.enabled) return run();
  const parent = extractTrace(traceparent);
  const options = { kind: 'server', parent, attributes: attributesOf(path) } as const;
  return span(path.slice(1), options, () => measureCall('server', path, run));
}

/** Runs and counts an outgoing call within its own span; `run` gets the traceparent to send. */
export function observeCalled<T>(
  path: string,
  run: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  if (!tracing.enabled && !metering.enabled) return run(undefined);
  return span(path.slice(1), { kind: 'client', attributes: attributesOf(path) }, () =>
    measureCall('client', path, () => run(injectTrace())),
  );
}

function attributesOf(path: string) {
  return { 'rpc.system.name': 'grpc', 'rpc.method': path.slice(1) };
}

async function measureCall<T>(side: 'server' | 'client', path: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let kind: ErrorKind | undefined;
  try {
    return await run();
  } catch (error) {
    kind = asHearthError(error).kind;
    throw error;
  } finally {
    recordCall({ side, method: path.slice(1), kind, seconds: (performance.now() - start) / 1_000 });
  }
}
