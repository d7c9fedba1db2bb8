/** Runs one served call inside its trace, and counts it. */
export function observeServed<T>(_path: string, _traceparent: string | undefined, run: () => Promise<T>): Promise<T> {
  return run();
}

/** Runs one outgoing call inside a span, and counts it; `run` gets the traceparent to send along. */
export function observeCalled<T>(_path: string, run: (traceparent: string | undefined) => Promise<T>): Promise<T> {
  return run(undefined);
}
