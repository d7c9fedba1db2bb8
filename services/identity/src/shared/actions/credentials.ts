import type { Bus } from '@hearth/bus';

/** Whoever keeps credentials in memory looks them up again when it hears this with the uuid of their AI. */
const credentialsSubject = 'credentials';

export function credentialsChanged(bus: Pick<Bus, 'signal'>, ai: string): void {
  bus.signal(credentialsSubject, Buffer.from(ai));
}
