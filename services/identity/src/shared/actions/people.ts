import type { Bus } from '@hearth/bus';
import { peopleSignal } from '@hearth/people';
import { credentialsChanged } from './credentials.ts';

type Signals = Pick<Bus, 'signal'>;

/** Whoever keeps facts of these people in memory asks for them again. */
export function peopleChanged(bus: Signals, people: Iterable<string>): void {
  for (const person of people) bus.signal(peopleSignal, Buffer.from(person));
}

/** The same, and whoever keeps the credentials of these people and AIs looks them up again. */
export function peopleAndCredentialsChanged(
  bus: Signals,
  people: readonly string[],
  ais: readonly string[],
): void {
  peopleChanged(bus, people);
  for (const id of [...people, ...ais]) credentialsChanged(bus, id);
}
