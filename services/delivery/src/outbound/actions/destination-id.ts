import { parseId, printId } from '@hearth/ids';
import type { DestinationKind } from '../../shared/db/destinations.ts';
import { mailServer, noPerson } from '../../shared/db/shown-kind.ts';

/** A destination, as the operator names it. */
export interface NamedDestination {
  kind: DestinationKind;
  /** uuid */
  id: string;
}

/** Id of the mail server as a destination. */
const mailId = 'mail';

/**
 * Reads the id of an app, a subscription, the mail server, or the person or AI that callbacks go to; null if
 * it is none of these.
 */
export function readDestination(text: string): NamedDestination | null {
  if (text === mailId) return { kind: 'mail', id: mailServer };
  const [app, subscription] = [parseId('app', text), parseId('sub', text)];
  if (app !== null) return { kind: 'app', id: app };
  if (subscription !== null) return { kind: 'subscription', id: subscription };
  const asker = parseId('per', text) ?? parseId('ai', text);
  return asker === null ? null : { kind: 'callback', id: asker };
}

/** @param isAi whether the asker of a callback is an AI */
export function printDestination({ kind, id }: NamedDestination, isAi: (id: string) => boolean): string {
  switch (kind) {
    case 'app':
      return printId('app', id);
    case 'subscription':
      return printId('sub', id);
    case 'mail':
      return id === mailServer || id === noPerson ? mailId : printId('per', id);
    case 'callback':
      return printId(isAi(id) ? 'ai' : 'per', id);
  }
}
