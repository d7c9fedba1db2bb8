/** The recorded signals. None are recorded until `startTelemetry` finds somewhere to send them. */
interface Recording {
  traces: boolean;
  metrics: boolean;
  /** Raised by every change, so that instruments know when to be created again. */
  generation: number;
}

const recording: Recording = { traces: false, metrics: false, generation: 0 };

/** Read on every hot path; a plain object, so that a read costs a few nanoseconds. */
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

/** Only for starting and stopping telemetry. */
export function setRecording(signals: { traces: boolean; metrics: boolean }): void {
  recording.traces = signals.traces;
  recording.metrics = signals.metrics;
  recording.generation += 1;
}
