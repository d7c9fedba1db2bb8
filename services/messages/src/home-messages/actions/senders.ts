import { callerElsewhere } from '@hearth/people';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { Call, Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** The senders of one push; each is looked up once. */
export interface Senders {
  /** null if identity does not know the sender. @throws bad_request if `senderJson` is malformed */
  of(item: Pick<HomeItem, 'from' | 'senderJson'>): Promise<Caller | null>;
}

export function createSenders({ parties }: Pick<Context, 'parties'>, call: Call): Senders {
  const met = new Map<string, Promise<Caller | null>>();

  async function meet(address: string, senderJson: string): Promise<Caller | null> {
    const { profile } = await parties.meetParty({ address, senderJson }, { call });
    return profile === undefined ? null : callerElsewhere(profile);
  }

  return {
    of({ from, senderJson }) {
      const key = `${from} ${senderJson}`;
      const known = met.get(key) ?? meet(from, senderJson);
      met.set(key, known);
      return known;
    },
  };
}
