import { getOption, hasOption } from '@bufbuild/protobuf';
import { operation } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import type { ServiceName } from '@hearth/runtime';

/** The local services that handle what other homes send. */
export interface Receivers {
  ofMessages: ServiceName;
  /** By kind of state; undefined for an unknown kind. */
  ofKind(kind: string): ServiceName | undefined;
  /** By operation; undefined unless other homes may call it. */
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
