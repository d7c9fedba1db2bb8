/** Which signals are recorded. Nothing is until `startTelemetry` finds somewhere to send it. */
interface Recording {
  traces: boolean;
  metrics: boolean;
  /** Rises with every change, so that instruments know when they must be made anew. */
  generation: number;
}

const recording: Recording = { traces: false, metrics: false, generation: 0 };

/** Read on every hot path; a plain object, so that looking costs a few nanoseconds. */
export const tracing: { readonly enabled: boolean } = {
  get enabled() {
    return recording.traces;
  },
};

export const metering: { readonly enabled: boolean; readonly generation: number } = {
  get enabled() {
    return recording.metrics;
  },
  get generation() {
    return recording.generation;
  },
};

/** For the start and the end of telemetry alone. */
export function setRecording(signals: { traces: boolean; metrics: boolean }): void {
  recording.traces = signals.traces;
  recording.metrics = signals.metrics;
  recording.generation += 1;
}
