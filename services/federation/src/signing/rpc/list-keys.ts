import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sizeOf } from '@hearth/limits';
import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import { claimedKids } from '@hearth/signing';
import type { Context } from '../context.ts';
import { changesAt } from '../domain/key-plan.ts';
import { toHomeKey } from '../domain/to-home-key.ts';
import { toSealState } from '../domain/to-seal-state.ts';

/** Returns the stored keys, with the document that lists them. */
export const listKeys =
  ({
    database,
    documents,
    keyRing,
    limits,
    seals,
  }: Context): UnaryHandler<typeof KeysService.method.listKeys> =>
  async () => {
    const { listed } = await keyRing.read(database.db);
    const { docSeq, issuedAt, json, validUntil } = await documents.current();
    const overlapMs = sizeOf(limits, 'signing_key_overlap_seconds') * 1_000;
    return {
      keys: listed.map((key) => toHomeKey(key, changesAt(listed, key, overlapMs))),
      document: {
        docSeq: BigInt(docSeq),
        issuedAt: timestampFromDate(issuedAt),
        validUntil: timestampFromDate(validUntil),
        signedBy: claimedKids(JSON.parse(json)),
      },
      seal: toSealState(await seals.state()),
    };
  };
