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
 * @param at the service that serves it, where that may be another than the one that declares it:
 *   "/groups.hearth.approvals.v1.ItemSourceService/ShowItems"
 */
export function methodPath({ name, parent }: DescMethod, at?: string): string {
  const { typeName } = parent;
  const declared = at === undefined || typeName.startsWith(`hearth.${at}.`);
  return `/${declared ? '' : `${at}.`}${typeName}/${name}`;
}

/** To read an option takes as long as a call: what is read of a declaration is kept, for each of its clients and services. */
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

/** Hot methods, whose calls are gathered while earlier ones are in flight. */
export const isBatched = once((desc: DescMethod): boolean =>
  hasOption(desc, operation) ? getOption(desc, operation).batched : getOption(desc, internal).batched,
);

const slowFields = once((desc: DescMethod): DescField[] =>
  desc.input.fields.filter((field) => hasOption(field, rules) && getOption(field, rules).slow),
);

/**
 * Whether a request to the method can take so long that others must not wait for it: one that has a slow field, and one about
 * a thing of another home.
 */
export function slowRequests(desc: DescMethod): (request: Message) => boolean {
  const slow = slowFields(desc);
  const away = isFederated(desc);
  return (request) =>
    slow.some((field) => isFieldSet(request, field)) ||
    (away && (request as { id?: unknown }).id?.toString().startsWith('r:') === true);
}

/** Whether a party of another home may call it, by an act that its own service was given. */
export const isFederated = once(
  (desc: DescMethod): boolean => hasOption(desc, operation) && getOption(desc, operation).federated,
);

/** Methods that are called for a party: other services than the gateway pass it on to these alone. */
export const isOnBehalf = once(
  (desc: DescMethod): boolean => getOption(desc, internal).onBehalf || isFederated(desc),
);

/** Methods that change nothing may be tried again on another pod when the first one is gone. */
export const isSafe = once(
  (desc: DescMethod): boolean =>
    desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ||
    (hasOption(desc, http) && getOption(desc, http).pattern.case === 'get'),
);
