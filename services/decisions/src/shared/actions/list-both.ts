import type { DescMessage } from '@bufbuild/protobuf';
import type { Copies, SeenCopy } from '@hearth/home-acts';
import {
  newestOf,
  type Page,
  type PagePosition,
  type PageRequest,
  placeCursor,
  readPage,
} from '@hearth/paging';
import type { ListedBy } from '../db/lists.ts';
import type { Deps } from './deps.ts';
import { findGroupId } from './find-group.ts';

interface Placed {
  id: string;
  started_at: Date;
}

interface ListRequest extends PageRequest {
  waitingOn?: string;
  group?: string;
}

/**
 * A page of the local and remote things of one kind where the viewer has a seat, newest first.
 *
 * @param own reads the local ones
 */
export async function listBoth<Own extends Placed | { row: Placed }, Desc extends DescMessage>(
  context: Pick<Deps, 'homeNames' | 'limits' | 'peers'> & { copies: Pick<Copies<Desc>, 'list'> },
  request: ListRequest,
  by: Pick<ListedBy, 'viewer' | 'status'>,
  own: (by: ListedBy, after: PagePosition | null, limit: number) => Promise<Own[]>,
): Promise<Page<Own | SeenCopy<Desc>>> {
  const waiting = request.waitingOn === 'me';
  const group = request.group === undefined ? null : await findGroupId(context, request.group);
  const there = { viewers: [by.viewer], status: by.status, waiting, group: request.group ?? null };
  const placeOf = (one: Own | SeenCopy<Desc>): PagePosition => {
    const { id, started_at: at } = 'row' in one ? one.row : one;
    return { at, id };
  };
  return await readPage(context, request, {
    cursor: placeCursor,
    async find(after, limit) {
      const [here, others] = await Promise.all([
        own({ ...by, waiting, group }, after, limit),
        context.copies.list(there, after, limit),
      ]);
      return newestOf<Own | SeenCopy<Desc>>(placeOf, limit, here, others);
    },
    placeOf,
  });
}
