import { type DescMethod, getOption, hasOption, isFieldSet, type Message } from '@bufbuild/protobuf';
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

/** Hot methods, whose calls are gathered while earlier ones are in flight. */
export function isBatched(desc: DescMethod): boolean {
  return hasOption(desc, operation) ? getOption(desc, operation).batched : getOption(desc, internal).batched;
}

/**
 * Whether a request to the method can take so long that others must not wait for it: one that has a slow field, and one about
 * a thing of another home.
 */
export function slowRequests(desc: DescMethod): (request: Message) => boolean {
  const slow = desc.input.fields.filter((field) => getOption(field, rules).slow);
  const away = isFederated(desc);
  return (request) =>
    slow.some((field) => isFieldSet(request, field)) ||
    (away && (request as { id?: unknown }).id?.toString().startsWith('r:') === true);
}

/** Whether a party of another home may call it, by an act that its own service was given. */
export function isFederated(desc: DescMethod): boolean {
  return hasOption(desc, operation) && getOption(desc, operation).federated;
}

/** Methods that are called for a party: other services than the gateway pass it on to these alone. */
export function isOnBehalf(desc: DescMethod): boolean {
  return getOption(desc, internal).onBehalf || isFederated(desc);
}

/** Methods that change nothing may be tried again on another pod when the first one is gone. */
export function isSafe(desc: DescMethod): boolean {
  return (
    desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ||
    (hasOption(desc, http) && getOption(desc, http).pattern.case === 'get')
  );
}
