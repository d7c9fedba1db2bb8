import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseAddress, printFullAddress } from '@hearth/addresses';
import { createLru } from '@hearth/cache/lru';
import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { appendAt, appendItems } from '../actions/append-items.ts';
import { createInTurn } from '../actions/in-turn.ts';
import { type Draft, draftOf } from '../actions/item.ts';
import type { Context } from '../context.ts';
import type { LogEnd } from '../db/logs.ts';

const mostEnds = 10_000;

/** Numbers what services give to other homes; one that comes twice is numbered once. */
export const onItem = (context: Context) => {
  const inTurn = createInTurn(context);
  /** The ends of logs as this process left them. */
  const ends = createLru<LogEnd>(mostEnds);
  return {
    durable: 'home-items',
    types: ['item_for_homes'],
    async handle(received: readonly ReceivedEvent[]) {
      const byHome = Map.groupBy(received.flatMap(draftsOf(context)), ({ home }) => home);
      let late = 0;
      for (const [home, items] of byHome) {
        const { ready, wait } = await inTurn.of(
          home,
          items.map(({ draft }) => draft),
        );
        if (wait) late += 1;
        if (ready.length > 0) await number(context, ends, home, ready);
      }
      // The bus brings those again; what has its number is left out then.
      if (late > 0) throw new Error('items for other homes wait for those before them');
    },
  };
};

async function number(
  context: Context,
  ends: ReturnType<typeof createLru<LogEnd>>,
  home: string,
  drafts: readonly Draft[],
): Promise<void> {
  const { acquaintances, engine } = context;
  const end = ends.get(home);
  const known = end !== undefined && acquaintances.knows(home, drafts);
  let after = known ? await appendAt(context, home, end, drafts) : null;
  if (after === null) {
    let noted = () => {};
    after = await context.commit(async (tx) => {
      noted = await acquaintances.wrote(tx, home, drafts);
      return await appendItems(tx, context, home, drafts);
    });
    noted();
  }
  const { destination, epoch, lastSeq } = after;
  ends.set(home, { destination, epoch, lastSeq });
  engine.poke([destination]);
}

const draftsOf =
  ({ home: own, devHomes, log }: Context) =>
  ({ event: { id, at, data } }: ReceivedEvent): { home: string; draft: Draft }[] => {
    const event = parseId('evt', id);
    if (data.case !== 'itemForHomes' || event === null || at === undefined) return [];
    const author = parseAddress(data.value.from, { devHomes, ownHome: own });
    const from = author === null ? '' : printFullAddress(author, own);
    try {
      return data.value.homes
        .filter(({ home }) => home !== own)
        .map(({ home, to }) => ({
          home,
          draft: draftOf(data.value, to, { event, id, at: timestampDate(at), from }),
        }));
    } catch (err) {
      if (!(err instanceof SyntaxError)) throw err;
      log.error(
        { err, id, service: data.value.service },
        'an item for other homes is no JSON and goes nowhere',
      );
      return [];
    }
  };
