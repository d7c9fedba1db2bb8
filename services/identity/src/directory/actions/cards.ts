import { hash } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import { type Card, CardSchema } from '@hearth/proto/identity/v1/resources';
import { writeJson } from '@hearth/proto-json';
import type { Call, Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export interface Cards {
  /** Signs the content of a card, which has no times or signature yet. */
  signed(content: Card, call: Call): Promise<Card>;
}

export interface CardsOptions extends Pick<Host, 'bus' | 'cache' | 'clock'> {
  federation: Pick<Client<typeof FederationService>, 'sign'>;
}

const validForMs = 24 * 3_600_000;

/** How long an unchanged card is served again, so that its ETag stays the same. */
const keptForSeconds = 300;

/** For this long after a change of the home's keys, federation may still sign with the old one. */
const unsettledMs = 10 * second;

export function createCards({ bus, clock, cache, federation }: CardsOptions): Cards {
  /** Cached cards signed before this moment are signed again. */
  let signedAnewUntil = 0;
  const signAnew = () => {
    signedAnewUntil = clock.now() + unsettledMs;
  };
  bus.onSignal('home_keys', signAnew);
  bus.onReconnect(signAnew);

  async function sign(content: Card, call: Call): Promise<Card> {
    const now = clock.now();
    const card = create(CardSchema, {
      ...content,
      issuedAt: timestampFromMs(now),
      validUntil: timestampFromMs(now + validForMs),
    });
    const json = writeJson(CardSchema, card);
    const { signature } = await federation.sign({ typ: 'svc-card+jws', json }, { call });
    return { ...card, signature };
  }

  return {
    async signed(content, call) {
      // The key is a hash of the content, so a cached card is never stale.
      const key = `card:${hash('sha256', toBinary(CardSchema, content), 'base64url')}`;
      const kept = await cache.get(key);
      if (kept !== null) {
        const card = fromBinary(CardSchema, Buffer.from(kept, 'base64'));
        const at = timestampMs(card.issuedAt!);
        // A signing time in the future means that the clock was set back.
        if (at >= signedAnewUntil && at <= clock.now() + unsettledMs) return card;
      }
      const card = await sign(content, call);
      await cache.set(key, Buffer.from(toBinary(CardSchema, card)).toString('base64'), keptForSeconds);
      return card;
    },
  };
}
