import { create } from '@bufbuild/protobuf';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { follows } from '@hearth/testkit';
import type { startDecisions } from './start-decisions.ts';

type Home = Pick<Awaited<ReturnType<typeof startDecisions>>, 'events'> & { name: string };
/** Derives another object from the real one. */
export type Over = (object: Record<string, unknown>) => object;

/** The last state of a thing of that home, as another home receives it. */
export async function lastState(home: Home, id: string, over: Over = (object) => object) {
  return await follows(async () => {
    const { data } = (await home.events('decisions', 'itemForHomes')).findLast(
      ({ data: { value } }) => value.id === id,
    )!;
    const { bodyJson, from, homes, rev, senderJson } = data.value;
    const body = JSON.parse(bodyJson) as { kind: string; object: Record<string, unknown> };
    return create(HomeItemSchema, {
      ...{ type: HomeItemType.STATE, id: `r:${home.name}:${id}`, rev, home: home.name, senderJson },
      from: `${from.replace(/^@/, '')}@${home.name}`,
      to: homes[0]!.to.map((address) => `@${address.slice(0, address.lastIndexOf('@'))}`),
      bodyJson: JSON.stringify({ ...body, object: over(body.object) }),
    });
  });
}
