import {
  type DescField,
  type DescMethod,
  getOption,
  hasOption,
  isFieldSet,
  type Message,
} from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { http } from '@hearth/proto/google/api/annotations';
import { internal, operation, rules } from '@hearth/proto/options';

/**
 * "/hearth.messages.v1.MessagesService/SendMessage"
 *
 * @param at the serving service, if it may not be the declaring one:
 * "/groups.hearth.approvals.v1.ItemSourceService/ShowItems"
 */
export function methodPath({ name, parent }: DescMethod, at?: string): string {
  const { typeName } = parent;
  const declared = at === undefined || typeName.startsWith(`hearth.${at}.`);
  return `/${declared ? '' : `${at}.`}${typeName}/${name}`;
}

/** Reading an option takes as long as a call, so the result is cached for all clients and services. */
function once<Desc extends object, Found>(read: (desc: Desc) => Found): (desc: Desc) => Found {
  const known = new WeakMap<Desc, { found: Found }>();
  return (desc) => {
    let kept = known.get(desc);
    if (kept === undefined) {
      kept = { found: read(desc) };
      known.set(desc, kept);
    }
    return kept.found;
  };
}

/** The services that may call an internal rpc. */
export const callersOf = once((desc: DescMethod): readonly string[] => getOption(desc, internal).callers);

/** Hot methods, whose calls are batched while earlier ones are in flight. */
export const isBatched = once((desc: DescMethod): boolean =>
  hasOption(desc, operation) ? getOption(desc, operation).batched : getOption(desc, internal).batched,
);

const slowFields = once((desc: DescMethod): DescField[] =>
  desc.input.fields.filter((field) => hasOption(field, rules) && getOption(field, rules).slow),
);

/**
 * Whether a request to the method can take so long that others must not wait for it: with a slow field, or about a
 * remote thing.
 */
export function slowRequests(desc: DescMethod): (request: Message) => boolean {
  const slow = slowFields(desc);
  const away = isFederated(desc);
  return (request) =>
    slow.some((field) => isFieldSet(request, field)) ||
    (away && (request as { id?: unknown }).id?.toString().startsWith('r:') === true);
}

/** Whether a remote party may call it, by an act passed to its own service. */
export const isFederated = once(
  (desc: DescMethod): boolean => hasOption(desc, operation) && getOption(desc, operation).federated,
);

/** Methods called for a party: services other than the gateway pass the party on only to these. */
export const isOnBehalf = once(
  (desc: DescMethod): boolean => getOption(desc, internal).onBehalf || isFederated(desc),
);

/** Methods that change nothing can be retried on another pod if the first is gone. */
export const isSafe = once(
  (desc: DescMethod): boolean =>
    desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ||
    (hasOption(desc, http) && getOption(desc, http).pattern.case === 'get'),
);
