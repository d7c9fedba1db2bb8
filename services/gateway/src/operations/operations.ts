import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import { http } from '@hearth/proto/google/api/annotations';
import type { HttpRule } from '@hearth/proto/google/api/http';
import { type Operation as Declaration, tag } from '@hearth/proto/options';
import { services as declaredServices } from '@hearth/proto/services';
import { declarationOf } from '@hearth/proto-json';
import type { ServiceName } from '@hearth/runtime';
import { parseTemplate, type Segment } from './template.ts';

export const httpMethods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;

export type HttpMethod = (typeof httpMethods)[number];

/** How an operation is reached over HTTP. */
export interface Binding {
  method: HttpMethod;
  /** As it is declared: "/v0/messages/{id}". */
  template: string;
  segments: Segment[];
  /** Whether the fields that are not in the path come as a JSON body; as query parameters otherwise. */
  hasBody: boolean;
}

/** A public operation as its service declares it. */
export interface Operation {
  /** operationId: "send_message". */
  id: string;
  desc: DescMethod;
  /** The service that answers it. */
  service: ServiceName;
  /** As OpenAPI groups it: "messages". */
  tag: string;
  declared: Declaration;
  bindings: Binding[];
}

/** The public operations of these services, in the order of declaration. Throws for what no route can be made of. */
export function readOperations(services: readonly DescService[] = declaredServices): Operation[] {
  const operations = services.flatMap((service) =>
    service.methods.flatMap((desc) => {
      const declared = declarationOf(desc);
      return declared === undefined ? [] : [readOperation(desc, declared)];
    }),
  );
  const ids = new Set<string>();
  for (const { id, desc } of operations) {
    if (ids.has(id)) throw internal(`${desc.toString()}: the operation id ${id} is taken`);
    ids.add(id);
  }
  return operations;
}

function readOperation(desc: DescMethod, declared: Declaration): Operation {
  if (declared.id === '') throw internal(`${desc.toString()} has no operation id`);
  if (!hasOption(desc, http)) throw internal(`${desc.toString()} has no HTTP rule`);
  if (desc.methodKind !== 'unary') throw internal(`${desc.toString()} streams, which no route can`);
  const rule = getOption(desc, http);
  const bindings = [rule, ...rule.additionalBindings].map((each) => readBinding(desc, each));
  const service = serviceOf(desc.parent);
  return { id: declared.id, desc, service, tag: getOption(desc.parent, tag) || service, declared, bindings };
}

function readBinding(desc: DescMethod, rule: HttpRule): Binding {
  const { case: verb, value } = rule.pattern;
  const method = verb?.toUpperCase() as HttpMethod;
  if (!httpMethods.includes(method) || typeof value !== 'string') {
    throw internal(`${desc.toString()}: an HTTP rule needs one of ${httpMethods.join(', ')}`);
  }
  if (rule.body !== '' && rule.body !== '*') {
    throw internal(`${desc.toString()}: body must be "*" or absent; got "${rule.body}"`);
  }
  const segments = parseTemplate(value);
  for (const segment of segments) {
    const known =
      segment.parameter === undefined || desc.input.fields.some((field) => field.name === segment.parameter);
    if (!known)
      throw internal(`${desc.toString()}: ${value} names {${segment.parameter}}, which is no field`);
  }
  return { method, template: value, segments, hasBody: rule.body === '*' };
}

/** "hearth.messages.v1.MessagesService" is the service "messages". */
export function serviceOf({ typeName }: DescService): ServiceName {
  return typeName.split('.')[1] as ServiceName;
}
