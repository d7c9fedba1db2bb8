import { hash } from 'node:crypto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import { type Card, CardSchema } from '@hearth/proto/identity/v1/resources';
import { writeJson } from '@hearth/proto-json';
import type { Call, Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

/** Signed cards. */
export interface Cards {
  /** The content of a card (without times and signature), signed by the home. */
  signed(content: Card, call: Call): Promise<Card>;
}

export interface CardsOptions extends Pick<Host, 'bus' | 'cache' | 'clock'> {
  federation: Pick<Client<typeof FederationService>, 'sign'>;
}

const validForMs = 24 * 3_600_000;

/** A card is shown again for so long while what it says stays the same, so that its ETag holds. */
const keptForSeconds = 300;

/** So long after the keys of the home changed a process of federation may still sign with the one before. */
const unsettledMs = 10 * second;

export function createCards({ bus, clock, cache, federation }: CardsOptions): Cards {
  /** A kept card that was signed before is signed again. */
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
      // Named after its content, a kept card is never out of date.
      const key = `card:${hash('sha256', toBinary(CardSchema, content), 'base64url')}`;
      const kept = await cache.get(key);
      if (kept !== null) {
        const card = fromBinary(CardSchema, Buffer.from(kept, 'base64'));
        const at = timestampMs(card.issuedAt!);
        // Signed later than now: the clock was set back since.
        if (at >= signedAnewUntil && at <= clock.now() + unsettledMs) return card;
      }
      const card = await sign(content, call);
      await cache.set(key, Buffer.from(toBinary(CardSchema, card)).toString('base64'), keptForSeconds);
      return card;
    },
  };
}
