import { create } from '@bufbuild/protobuf';
import { HomeItemType, type ItemForHomes } from '@hearth/proto/events/v1/events';
import {
  type HomeItem,
  HomeItemDecision,
  HomeItemSchema,
  type HomeItemsService,
} from '@hearth/proto/federation/v1/items';
import type { Client } from '@hearth/rpc';
import type { ServiceName } from '@hearth/runtime';
import { ids } from './ids.ts';
import type { TestService } from './start-service.ts';

/** One of two homes. */
export interface OneOfTwo extends Pick<TestService, 'events' | 'publish'> {
  name: string;
  /** The service under test, called as federation calls it. */
  fromFederation: Client<typeof HomeItemsService>;
}

/** A carried item with its verdict. */
export interface Carried {
  item: HomeItem;
  decision: HomeItemDecision;
  code: string;
  status: number;
}

/** The names of two homes on one machine, and each one's settings. */
export const twoHomes = ['localhost:8080', 'localhost:8081'].map((name, index, names) => ({
  name,
  env: {
    HEARTH_HOME: name,
    HEARTH_DEV_HOMES: names[1 - index]!,
    HEARTH_SITE_URL: `http://${name}`,
  },
}));

/** Starts a service at two homes that know each other, connected by the test instead of federation. */
export async function startAtTwo<Started extends Omit<OneOfTwo, 'name'> & Pick<TestService, 'stop'>>(
  service: ServiceName,
  start: (env: Record<string, string>) => Promise<Started>,
) {
  const [here, there] = await Promise.all(
    twoHomes.map(async ({ name, env }) => ({ ...(await start(env)), name })),
  );
  const stop = () => Promise.all([here!.stop(), there!.stop()]);
  return { here: here!, there: there!, carry: createCarrier(service), stop };
}

/** Carries items between two homes. */
export interface Carrier {
  /** Carries what one home announced for the other, and the results of acts back. Items announced later stay. */
  (from: OneOfTwo, to: OneOfTwo): Promise<Carried[]>;
  /** Waits for a call at one home while carrying items both ways. */
  during<Answer>(one: OneOfTwo, other: OneOfTwo, call: Promise<Answer>): Promise<Answer>;
}

/** Creates a carrier between two homes, in place of federation, for the items of one service. */
export function createCarrier(service: ServiceName): Carrier {
  const carried = new Set<string>();

  async function carry(from: OneOfTwo, to: OneOfTwo): Promise<Carried[]> {
    const all: Carried[] = [];
    for (const { id, data } of await from.events(service, 'itemForHomes')) {
      const value = data.value as ItemForHomes;
      const recipients = value.homes.find(({ home }) => home === to.name);
      if (recipients === undefined || carried.has(id)) continue;
      carried.add(id);
      const item = itemOf(from.name, value, recipients.to);
      const { decision, code, result, unknown: none } = await receive(to, item);
      if (decision === HomeItemDecision.LATER) {
        carried.delete(id);
        all.push({ item, decision, code, status: 0 });
        continue;
      }
      if (value.type === HomeItemType.ACT) await comesAgain(to, item, result?.status);
      const delivered = decision !== HomeItemDecision.REJECTED;
      const { type, rev } = value;
      const unknown = none.map((address) => `${address.replace(/^@/, '')}@${to.name}`);
      await from.publish({
        case: 'homeItemSettled',
        value: { service, type, id: value.id, rev, home: to.name, delivered, why: code, unknown },
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

  return Object.assign(carry, {
    async during<Answer>(one: OneOfTwo, other: OneOfTwo, call: Promise<Answer>): Promise<Answer> {
      const ended = call.then(
        () => true,
        () => true,
      );
      for (let open = true; open; ) {
        await carry(one, other);
        await carry(other, one);
        open = !(await Promise.race([
          ended,
          new Promise<false>((resolve) => setTimeout(resolve, 20, false)),
        ]));
      }
      return await call;
    },
  });
}

/** A home that crashes before it notes an act's result receives the act again. The result must be the same. */
async function comesAgain(to: OneOfTwo, item: HomeItem, status: number | undefined): Promise<void> {
  const { result } = await receive(to, item);
  // A booking that exists already answers 200 instead of 201.
  if (result?.status === status || (result?.status === 200 && status === 201)) return;
  const { operation } = JSON.parse(item.bodyJson);
  throw new Error(
    `${operation} gave ${status}, and ${result?.status} when its act came again: ${result?.errorJson}`,
  );
}

/** Delivers an item as federation does. */
export async function receive(
  to: Pick<OneOfTwo, 'fromFederation'>,
  item: HomeItem,
  { left = 20, limited = false } = {},
) {
  const request = { items: [item], domain: item.home, limited, firstContactsLeft: left };
  return (await to.fromFederation.receiveHomeItems(request)).verdicts[0]!;
}

function itemOf(home: string, value: ItemForHomes, to: readonly string[]): HomeItem {
  const full = (address: string) =>
    address.indexOf('@') > 0 ? address : `${address.replace(/^@/, '')}@${home}`;
  const id = `r:${home}:${value.id || ids.uuid().replaceAll('-', '')}`;
  const from = value.from === '' ? '' : full(value.from);
  return create(HomeItemSchema, {
    ...{ type: value.type, id, rev: value.rev, home, from, senderJson: value.senderJson },
    to: to.map((address) => `@${address.slice(0, address.lastIndexOf('@'))}`),
    bodyJson: value.bodyJson,
    itemJson: JSON.stringify({ type: 'act', id, from, body: JSON.parse(value.bodyJson) }),
  });
}
