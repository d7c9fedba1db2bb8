import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SealStateSchema } from '@hearth/proto/federation/v1/keys';
import type { Host } from '@hearth/runtime';

type SealState = Awaited<ReturnType<Host['seals']['state']>>;

export function toSealState({
  key,
  otherKey,
  askedAt,
  places,
}: SealState): MessageInitShape<typeof SealStateSchema> {
  return {
    key: shown(key),
    ...(otherKey !== null && { otherKey: shown(otherKey) }),
    ...(askedAt !== null && { askedAt: timestampFromDate(askedAt) }),
    places: places.map(({ place, remaining, unopened }) => ({
      place,
      ...(remaining !== null && { remaining: BigInt(remaining) }),
      unopened: BigInt(unopened),
    })),
  };
}

/** Drops the format byte. */
const shown = (mark: string) => mark.slice(2);
