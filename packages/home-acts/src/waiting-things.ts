import type { DescMessage } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { newestOf } from '@hearth/paging';
import type { WaitingThingsService } from '@hearth/proto/federation/v1/waiting_things';
import { writeMessage } from '@hearth/proto-json';
import type { UnaryHandler } from '@hearth/rpc';
import { toHere } from './abroad.ts';
import { copyOf } from './copies.ts';
import { type CopyRow, listCopies } from './copies-db.ts';
import type { CopyKind } from './copy-kind.ts';
import type { ThingParts } from './home-things.ts';

const placeOf = ({ started_at, id }: CopyRow) => ({ at: started_at, id });

export const listWaitingThings =
  (
    parts: ThingParts,
    kinds: ReadonlyMap<string, CopyKind<never>>,
  ): UnaryHandler<typeof WaitingThingsService.method.listWaitingThings> =>
  async ({ before, beforeId, limit, viewers }) => {
    const { database, homeNames, schema } = parts;
    const after = before === undefined ? null : { at: timestampDate(before), id: beforeId };
    const asking = [...kinds].filter(([, { asks }]) => asks !== undefined);
    const lists = await Promise.all(
      asking.map(([kind]) =>
        listCopies(database.db, schema, { kind, viewers, status: null, waiting: true }, after, limit),
      ),
    );
    const things = newestOf(placeOf, limit, ...lists).flatMap((row) => {
      const declared = kinds.get(row.kind) as unknown as CopyKind<DescMessage>;
      const copy = copyOf(parts, declared, row);
      const ask = declared.asks?.(copy.message) ?? null;
      if (ask === null) return [];
      const { id, reference, home, object, started_at } = row;
      const detail = (
        declared.believed === undefined
          ? toHere(declared.desc, object, homeNames)
          : writeMessage(declared.desc, declared.believed(copy).message)
      ) as never;
      return [{ ...ask, id, reference, home, at: timestampFromDate(started_at), detail }];
    });
    return { things };
  };
