import { create, type DescMethod, type DescService, type Message, toBinary } from '@bufbuild/protobuf';
import { badField } from '@hearth/errors';
import { anonymous, type CallOptions } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

type Call = (
  request: Record<string, unknown>,
  options?: CallOptions,
) => Promise<Message & { nextCursor?: string }>;

const markLength = 16;
/** Members that are not filters: they differ between pages. Without `$typeName`, `create` makes a new message. */
const noFilters = { $typeName: undefined, cursor: undefined, limit: undefined, wait: undefined };

/**
 * Binds each cursor to its list, filters and caller. A service's own cursor is only a position, and would be
 * accepted by any list with the same order.
 */
export function withOwnCursors({ peer, sealer }: Pick<Host, 'peer' | 'sealer'>): Host['peer'] {
  const bind =
    (desc: DescMethod, call: Call): Call =>
    async (request, options = {}) => {
      const { cursor } = request;
      const { kind, id } = options.caller ?? anonymous;
      const mark = (place: string): string => {
        const filters = Buffer.from(toBinary(desc.input, create(desc.input, { ...request, ...noFilters })));
        const text = [desc.toString(), kind, id, filters.toString('base64url'), place].join(' ');
        return sealer.derive('cursor', text).toString('base64url').slice(0, markLength);
      };
      const place = typeof cursor === 'string' ? cursor.slice(markLength) : undefined;
      if (place !== undefined && cursor !== mark(place) + place)
        throw badField(
          'cursor',
          'must be the next_cursor of an earlier answer to the same request, as it was given',
        );
      const answer = await call(place === undefined ? request : { ...request, cursor: place }, options);
      const { nextCursor } = answer;
      return nextCursor ? { ...answer, nextCursor: mark(nextCursor) + nextCursor } : answer;
    };

  return <S extends DescService>(name: Parameters<Host['peer']>[0], service: S) => {
    const client = peer(name, service);
    const calls: Record<string, unknown> = client;
    const lists = service.methods.filter(({ output }) =>
      output.fields.some((field) => field.name === 'next_cursor'),
    );
    const bound = lists.map((desc) => [desc.localName, bind(desc, calls[desc.localName] as Call)]);
    return { ...client, ...Object.fromEntries(bound) };
  };
}
