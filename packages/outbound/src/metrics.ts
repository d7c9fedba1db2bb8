import { counter, histogram, requestBounds, upDownCounter } from '@hearth/telemetry';
import type { AttemptError, OutboundKind, Outcome, Send } from './kinds.ts';

const attempts = counter('hearth.delivery.attempts', {
  description: 'Attempts to send something to an address that others chose.',
  unit: '{attempt}',
});
const duration = histogram('hearth.delivery.duration', {
  description: 'How long an attempt took.',
  unit: 's',
  bounds: requestBounds,
});
const inFlight = upDownCounter('hearth.delivery.in_flight', {
  description: 'Attempts that are being made.',
  unit: '{attempt}',
});
const inHand = upDownCounter('hearth.delivery.destinations', {
  description: 'Addresses that this process has in hand.',
  unit: '{address}',
});

type Kind = Pick<OutboundKind<Send>, 'name'>;

/** Counts the start (1) or end (-1) of an attempt. */
export function recordInFlight({ name }: Kind, change: 1 | -1): void {
  inFlight(change, { 'hearth.kind': name });
}

/** Counts a destination as claimed (1) or released (-1). */
export function recordInHand({ name }: Kind, change: 1 | -1): void {
  inHand(change, { 'hearth.kind': name });
}

/** Records the outcome of an attempt; null if the home itself could not make it. */
export function recordAttempt({ name }: Kind, outcome: Outcome<Send> | null): void {
  const word: AttemptError | 'taken' | 'not_made' =
    outcome === null ? 'not_made' : (outcome.error ?? 'taken');
  attempts(1, { 'hearth.kind': name, 'hearth.outcome': word });
  if (outcome !== null) duration(outcome.ms / 1_000, { 'hearth.kind': name, 'hearth.outcome': word });
}
