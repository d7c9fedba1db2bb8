import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { http } from '@hearth/proto/google/api/annotations';
import { internal, operation } from '@hearth/proto/options';

/** "/hearth.messages.v1.MessagesService/SendMessage" */
export function methodPath(desc: DescMethod): string {
  return `/${desc.parent.typeName}/${desc.name}`;
}

/** Hot methods, whose calls are gathered while earlier ones are in flight. */
export function isBatched(desc: DescMethod): boolean {
  return hasOption(desc, operation) ? getOption(desc, operation).batched : getOption(desc, internal).batched;
}

/** Methods that change nothing may be tried again on another pod when the first one is gone. */
export function isSafe(desc: DescMethod): boolean {
  return (
    desc.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ||
    (hasOption(desc, http) && getOption(desc, http).pattern.case === 'get')
  );
}
