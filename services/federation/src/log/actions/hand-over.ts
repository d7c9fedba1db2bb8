import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import { type ErrorKind, isHearthError } from '@hearth/errors';
import {
  type HomeActResult,
  HomeItemDecision,
  type HomeItemSchema,
  HomeItemsService,
  type HomeItemVerdict,
} from '@hearth/proto/federation/v1/items';
import { anonymous, type Client } from '@hearth/rpc';
import type { Host, ServiceName } from '@hearth/runtime';
import type { JsonObject } from '@hearth/signing';
import { type ItemType, itemTypes } from '../domain/item-types.ts';
import type { ItemCode, Refused, WeighedItem } from './weigh-item.ts';

/**
 * A service's decision about an item. `later`: not decided yet; `away`: the service could not be asked, so
 * later items wait behind it.
 */
export type Verdict =
  | { decision: 'ok'; result: HomeActResult | null; firstContacts: number; unknown: readonly string[] }
  | { decision: 'later' }
  | { decision: 'away' }
  | { decision: 'rejected'; why: Refused };

export interface SigningHome {
  /** The home that signed the items. */
  home: string;
  domain: string;
  limited: boolean;
  firstContactsLeft: number;
}

/** Hands items to the service that handles them, in order; returns one verdict for each. */
export type HandOver = (
  service: ServiceName,
  standing: SigningHome,
  items: readonly { item: JsonObject; weighed: WeighedItem }[],
) => Promise<Verdict[]>;

const timeoutMs = 10 * second;
/** The service is unavailable; any other error is about the request. */
const awayKinds: ReadonlySet<string> = new Set<ErrorKind>(['unavailable', 'deadline_exceeded']);
const codes: readonly string[] = [
  'schema',
  'unknown_operation',
  'conflict',
  'erased',
  'no_such_address',
  'too_large',
  'first_contact',
  'internal',
] satisfies ItemCode[];

export function createHandOver({ log, peer }: Pick<Host, 'log' | 'peer'>): HandOver {
  const clients = new Map<ServiceName, Client<typeof HomeItemsService>>();
  const clientOf = (service: ServiceName) => {
    const found = clients.get(service) ?? peer(service, HomeItemsService);
    clients.set(service, found);
    return found;
  };
  const give: HandOver = async (service, standing, items) => {
    const { home, domain, limited, firstContactsLeft } = standing;
    try {
      const { verdicts } = await clientOf(service).receiveHomeItems(
        { items: items.map((item) => toHomeItem(home, item)), domain, limited, firstContactsLeft },
        { caller: anonymous, timeoutMs },
      );
      return items.map((_, index) => readVerdict(verdicts[index]));
    } catch (err) {
      const count = items.length;
      const isAway = isHearthError(err) && awayKinds.has(err.kind);
      if (!isAway && count > 1) return await giveApart(service, standing, items);
      log.warn({ err, home, service, count }, 'items of another home wait for their service');
      return items.map(() => ({ decision: isAway ? 'away' : 'later' }));
    }
  };

  /**
   * The service failed over one of the items: give each separately, so that the faulty item does not hold up
   * the others.
   */
  async function giveApart(...[service, standing, items]: Parameters<HandOver>): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (const item of items) {
      const firstContactsLeft = Math.max(0, standing.firstContactsLeft - firstContactsIn(verdicts));
      const isAway = verdicts.at(-1)?.decision === 'away';
      const given = isAway ? [] : await give(service, { ...standing, firstContactsLeft }, [item]);
      verdicts.push(given[0] ?? { decision: 'away' });
    }
    return verdicts;
  }
  return give;
}

export function firstContactsIn(verdicts: readonly Verdict[]): number {
  return verdicts.reduce(
    (count, verdict) => count + (verdict.decision === 'ok' ? verdict.firstContacts : 0),
    0,
  );
}

function toHomeItem(
  home: string,
  { item, weighed }: { item: JsonObject; weighed: WeighedItem },
): MessageInitShape<typeof HomeItemSchema> {
  const { id, rev, from, sender, to, body, issuedAt, expiresAt } = weighed;
  return {
    type: itemTypes[weighed.type as Exclude<ItemType, 'skip'>],
    ...{ id, rev: BigInt(rev), home, from, to },
    senderJson: sender === null ? '' : JSON.stringify(sender),
    bodyJson: JSON.stringify(body),
    issuedAt: timestampFromMs(issuedAt),
    expiresAt: timestampFromMs(expiresAt),
    itemJson: JSON.stringify(item),
    // Otherwise it is an act of the home that delivers it.
    returned: weighed.type === 'act' && item['origin'] !== home,
  };
}

function readVerdict(
  verdict:
    | Pick<HomeItemVerdict, 'decision' | 'code' | 'path' | 'rule' | 'result' | 'firstContacts' | 'unknown'>
    | undefined,
): Verdict {
  switch (verdict?.decision) {
    case HomeItemDecision.OK:
      return {
        ...{ decision: 'ok', result: verdict.result ?? null },
        ...{ firstContacts: verdict.firstContacts, unknown: verdict.unknown },
      };
    case HomeItemDecision.LATER:
      return { decision: 'later' };
    case HomeItemDecision.REJECTED:
      return { decision: 'rejected', why: whyOf(verdict) };
    default:
      return { decision: 'away' };
  }
}

function whyOf({ code, path, rule }: Pick<HomeItemVerdict, 'code' | 'path' | 'rule'>): Refused {
  const known = codes.includes(code) ? (code as ItemCode) : 'internal';
  return { code: known, ...(known === 'schema' && path !== '' && { path, rule }) };
}
