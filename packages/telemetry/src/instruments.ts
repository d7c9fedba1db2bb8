import { type Attributes, type Histogram, type Meter, metrics } from '@opentelemetry/api';
import { metering } from './recording.ts';

/** Records one value; attributes are few, with few possible values each, and never ids. */
export type Record = (value: number, attributes?: Attributes) => void;

export interface InstrumentOptions {
  /** The meaning of the figure, in words. */
  description: string;
  /** A UCUM unit: `s`, `By`, `{message}`. */
  unit: string;
}

/** Bounds in seconds for what a person or peer waits for, as the semantic conventions advise. */
export const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Bounds in seconds for what happens inside a home: 0.2 ms to 10 s. */
export const inwardBounds = [
  0.0002, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.01, 0.015, 0.02, 0.05, 0.1, 0.5, 1, 10,
];

/** A distribution of values: durations, sizes. */
export function histogram(name: string, options: InstrumentOptions & { bounds: readonly number[] }): Record {
  const { description, unit, bounds } = options;
  const advice = { explicitBucketBoundaries: [...bounds] };
  const instrument = made<Histogram>((meter) => meter.createHistogram(name, { description, unit, advice }));
  return (value, attributes) => {
    if (metering.enabled) instrument().record(value, attributes);
  };
}

/** A count that only grows. */
export function counter(name: string, options: InstrumentOptions): Record {
  const instrument = made((meter) => meter.createCounter(name, options));
  return (value, attributes) => {
    if (metering.enabled) instrument().add(value, attributes);
  };
}

/**
 * A counter that adds one on each call.
 *
 * @param attributesOf maps its argument to attributes
 */
export function eventCounter<Told = void>(
  name: string,
  options: InstrumentOptions,
  attributesOf?: (told: Told) => Attributes,
): (told: Told) => void {
  const count = counter(name, options);
  return (told) => count(1, attributesOf?.(told));
}

/** A count that grows and shrinks. */
export function upDownCounter(name: string, options: InstrumentOptions): Record {
  const instrument = made((meter) => meter.createUpDownCounter(name, options));
  return (value, attributes) => {
    if (metering.enabled) instrument().add(value, attributes);
  };
}

/** A value of which only the current one matters. */
export function gauge(name: string, options: InstrumentOptions): Record {
  const instrument = made((meter) => meter.createGauge(name, options));
  return (value, attributes) => {
    if (metering.enabled) instrument().record(value, attributes);
  };
}

/**
 * Creates the instrument on first use: one created before the SDK is registered would never have an effect, and most
 * homes need none.
 */
function made<Instrument>(create: (meter: Meter) => Instrument): () => Instrument {
  let generation = -1;
  let instrument: Instrument;
  return () => {
    if (generation !== metering.generation) {
      generation = metering.generation;
      instrument = create(metrics.getMeter('hearth'));
    }
    return instrument;
  };
}
