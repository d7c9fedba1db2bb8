import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseAddress, printFullAddress } from '@hearth/addresses';
import { createLru } from '@hearth/cache/lru';
import { eachOf } from '@hearth/coalesce';
import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { appendAtEnds, appendItems, goBehind } from '../actions/append-items.ts';
import { createInTurn } from '../actions/in-turn.ts';
import { type Draft, draftOf, type ForHome } from '../actions/item.ts';
import type { Context } from '../context.ts';
import type { LogEnd } from '../db/logs.ts';

const mostEnds = 10_000;
/** Logs locked concurrently, each on its own connection. */
const logsAtOnce = 4;

/** Numbers the items that services send to other homes; a redelivered event is numbered once. */
export const onItem = (context: Context) => {
  const inTurn = createInTurn(context);
  /** The ends of logs, as this process left them. */
  const ends = createLru<LogEnd>(mostEnds);
  return {
    durable: 'home-items',
    types: ['item_for_homes'],
    async handle(received: readonly ReceivedEvent[]) {
      const byHome = Map.groupBy(received.flatMap(draftsOf(context)), ({ home }) => home);
      const all: ForHome[] = [];
      let late = 0;
      for (const [home, items] of byHome) {
        const { ready, wait } = await inTurn.of(
          home,
          items.map(({ draft }) => draft),
        );
        if (wait) late += 1;
        if (ready.length > 0) all.push({ home, drafts: ready });
      }
      if (all.length > 0) await number(context, ends, all);
      // The bus redelivers the batch; items that got a number are skipped then.
      if (late > 0) throw new Error('items for other homes wait for those before them');
    },
  };
};

/** Numbers items: in one statement for logs whose end is known, in a transaction each for the others. */
async function number(
  context: Context,
  ends: ReturnType<typeof createLru<LogEnd>>,
  all: readonly ForHome[],
): Promise<void> {
  await context.acquaintances.wrote(all);
  const atEnds = all.flatMap((each) => {
    const end = ends.get(each.home);
    return end !== undefined && goBehind(end, each.drafts) ? { ...each, end } : [];
  });
  const after = atEnds.length === 0 ? new Map<string, LogEnd>() : await appendAtEnds(context, atEnds);
  const others = all.filter(({ home }) => !after.has(home));
  await eachOf(others, logsAtOnce, async ({ home, drafts }) => {
    const { destination, epoch, lastSeq } = await context.commit((tx) =>
      appendItems(tx, context, home, drafts),
    );
    after.set(home, { destination, epoch, lastSeq });
  });
  for (const [home, end] of after) ends.set(home, end);
  context.engine.poke([...after.values()].map(({ destination }) => destination));
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
