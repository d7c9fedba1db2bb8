import {
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
} from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import { http } from '@hearth/proto/google/api/annotations';
import type { HttpRule } from '@hearth/proto/google/api/http';
import { type Operation as Declaration, FieldKind, tag } from '@hearth/proto/options';
import { services as declaredServices } from '@hearth/proto/services';
import { declarationOf, rulesOf } from '@hearth/proto-json';
import type { ServiceName } from '@hearth/runtime';
import { parseTemplate, type Segment } from './template.ts';

const httpMethods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] as const;

export type HttpMethod = (typeof httpMethods)[number];

/** An operation's HTTP method and path. */
export interface Binding {
  method: HttpMethod;
  /** As declared: "/v0/messages/{id}". */
  template: string;
  segments: Segment[];
  /** Whether fields outside the path come as a JSON body, or else as query parameters. */
  hasBody: boolean;
}

/** A public operation, as declared. */
export interface Operation {
  /** operationId: "send_message". */
  id: string;
  desc: DescMethod;
  /** The service that implements it. */
  service: ServiceName;
  /** Its group in OpenAPI and among the tools: "messages". */
  tag: string;
  declared: Declaration;
  bindings: Binding[];
}

/**
 * The public operations of these services, in the order of declaration. Throws for a declaration that cannot
 * be routed.
 */
export function readOperations(services: readonly DescService[] = declaredServices): Operation[] {
  const operations = services.flatMap((service) =>
    service.methods.flatMap((desc) => {
      const declared = declarationOf(desc);
      return declared === undefined ? [] : [readOperation(desc, declared)];
    }),
  );
  const ids = new Set<string>();
  const tags = new Map<string, DescService>();
  for (const { id, desc, tag } of operations) {
    if (ids.has(id)) throw internal(`${desc.toString()}: the operation id ${id} is taken`);
    ids.add(id);
    const other = tags.get(tag) ?? desc.parent;
    if (other !== desc.parent) {
      throw internal(
        `${other.typeName} and ${desc.parent.typeName} have the same tag ${tag}: give one another (hearth.tag)`,
      );
    }
    tags.set(tag, other);
  }
  return operations;
}

function readOperation(desc: DescMethod, declared: Declaration): Operation {
  if (declared.id === '') throw internal(`${desc.toString()} has no operation id`);
  if (!hasOption(desc, http)) throw internal(`${desc.toString()} has no HTTP rule`);
  if (desc.methodKind !== 'unary') throw internal(`${desc.toString()} streams, which no route can`);
  checkFields(desc, declared);
  const rule = getOption(desc, http);
  const bindings = [rule, ...rule.additionalBindings].map((each) => readBinding(desc, each));
  const service = serviceOf(desc.parent);
  return { id: declared.id, desc, service, tag: tagOf(desc.parent), declared, bindings };
}

/** Checks that fields with the conventional names for paging and waiting are declared as such. */
function checkFields(desc: DescMethod, { longestWaitSeconds }: Declaration): void {
  const check = (name: string, kind: FieldKind, { fields }: DescMessage) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined || rulesOf(field).kind === kind) return;
    throw internal(`${field.toString()} needs [(hearth.rules).kind = FIELD_KIND_${FieldKind[kind]}]`);
  };
  check('cursor', FieldKind.CURSOR, desc.input);
  check('next_cursor', FieldKind.NEXT_CURSOR, desc.output);
  if (longestWaitSeconds === 0) return;
  const has = ({ fields }: DescMessage, name: string) => fields.some((field) => field.name === name);
  if (!has(desc.input, 'wait')) throw internal(`${desc.toString()} can be held and needs a field wait`);
  if (!has(desc.output, 'superseded'))
    throw internal(`${desc.output.toString()} answers a wait and needs: optional bool superseded`);
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

/** The declared tag, or else the service's name: "group_posts" for "GroupPostsService". */
function tagOf(service: DescService): string {
  const words = service.name.replace(/Service$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_');
  return getOption(service, tag) || words.toLowerCase();
}

/** "hearth.messages.v1.MessagesService" belongs to the service "messages". */
export function serviceOf({ typeName }: DescService): ServiceName {
  return typeName.split('.')[1] as ServiceName;
}
