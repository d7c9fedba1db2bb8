import { getOption, hasOption } from '@bufbuild/protobuf';
import { operation } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import type { ServiceName } from '@hearth/runtime';

/** The services of this home that have what comes from others. */
export interface Receivers {
  ofMessages: ServiceName;
  /** By kind of state; undefined for a kind that this home does not know. */
  ofKind(kind: string): ServiceName | undefined;
  /** By an operation that may come from another home; undefined for any other. */
  ofOperation(id: string): ServiceName | undefined;
}

const kinds: Readonly<Record<string, ServiceName>> = {
  ask: 'approvals',
  agreement: 'decisions',
  decision: 'decisions',
  group: 'groups',
  invite: 'groups',
  meeting: 'decisions',
  offer: 'decisions',
  plan: 'decisions',
  post: 'messages',
};

export function createReceivers(): Receivers {
  const operations = new Map(
    services.flatMap(({ typeName, methods }) =>
      methods
        .filter((method) => hasOption(method, operation) && getOption(method, operation).federated)
        .map((method): [string, ServiceName] => [
          getOption(method, operation).id,
          typeName.split('.')[1] as ServiceName,
        ]),
    ),
  );
  return {
    ofMessages: 'messages',
    ofKind: (kind) => (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined),
    ofOperation: (id) => operations.get(id),
  };
}
