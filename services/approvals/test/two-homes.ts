import { create } from '@bufbuild/protobuf';
import { HomeItemType, type ItemForHomes } from '@hearth/proto/events/v1/events';
import { type HomeItem, HomeItemDecision, HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { ids } from '@hearth/testkit';
import { startApprovals, type TestApprovals } from './start-approvals.ts';

/** Approvals of a home that has another one beside it. */
export interface OneOfTwo extends TestApprovals {
  name: string;
}

/** An item that was carried over, with its verdict. */
export interface Carried {
  item: HomeItem;
  decision: HomeItemDecision;
  code: string;
  status: number;
}

/** Two homes, and the way between them in the place of federation. */
export async function startTwoApprovals() {
  const names = ['localhost:8080', 'localhost:8081'] as const;
  const [one, other] = await Promise.all(
    names.map(async (name, index): Promise<OneOfTwo> => {
      const env = { HEARTH_HOME: name, HEARTH_DEV_HOMES: names[1 - index]! };
      return { ...(await startApprovals({ ...env, HEARTH_SITE_URL: `http://${name}` })), name };
    }),
  );
  const carried = new Set<string>();

  /** Carries what one home announced for the other, with the results of acts back. */
  async function carry(from: OneOfTwo, to: OneOfTwo): Promise<Carried[]> {
    const all: Carried[] = [];
    for (const { id, data } of await from.events('approvals', 'itemForHomes')) {
      const value = data.value as ItemForHomes;
      const recipients = value.homes.find(({ home }) => home === to.name);
      if (recipients === undefined || carried.has(id)) continue;
      carried.add(id);
      const item = itemOf(from.name, value, recipients.to);
      const { decision, code, result } = await receive(to, item);
      const delivered = decision !== HomeItemDecision.REJECTED;
      const { type, rev } = value;
      await from.publish({
        case: 'homeItemSettled',
        value: { service: 'approvals', type, id: value.id, rev, home: to.name, delivered, why: code },
      });
      if (result !== undefined) {
        const { status, answerJson, errorJson } = result;
        const answer = answerJson === '' ? {} : { answer: JSON.parse(answerJson) };
        const error = errorJson === '' ? {} : { error: JSON.parse(errorJson) };
        const bodyJson = JSON.stringify({ act: item.id, status, ...answer, ...error });
        await receive(from, create(HomeItemSchema, { type: HomeItemType.RESULT, home: to.name, bodyJson }));
      }
      all.push({ item, decision, code, status: result?.status ?? 0 });
    }
    return all;
  }
  return { one: one!, other: other!, carry };
}

/** Hands an item in as federation does. */
export async function receive(to: OneOfTwo, item: HomeItem, { left = 20, limited = false } = {}) {
  const request = { items: [item], domain: item.home, limited, firstContactsLeft: left };
  return (await to.fromFederation.receiveHomeItems(request)).verdicts[0]!;
}

function itemOf(home: string, value: ItemForHomes, to: readonly string[]): HomeItem {
  const full = (address: string) => `${address.replace(/^@/, '')}@${home}`;
  const id = `r:${home}:${value.id || ids.uuid().replaceAll('-', '')}`;
  const from = value.from === '' ? '' : full(value.from);
  return create(HomeItemSchema, {
    ...{ type: value.type, id, rev: value.rev, home, from, senderJson: value.senderJson },
    to: to.map((address) => `@${address.slice(0, address.lastIndexOf('@'))}`),
    bodyJson: value.bodyJson,
    itemJson: JSON.stringify({ type: 'act', id, from, body: JSON.parse(value.bodyJson) }),
  });
}
