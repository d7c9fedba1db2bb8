import { badRequest, internal } from '@hearth/errors';
import { nearest } from '@hearth/proto-json';
import type { Segment } from '../operations/module.ts';

/** The routes of a path by method, and the decoded values of its parameters. */
export interface Found<Route> {
  readonly routes: ReadonlyMap<string, Route>;
  readonly values: readonly string[];
}

interface Node<Route> {
  fixed: Map<string, Node<Route>>;
  parameter: Node<Route> | undefined;
  /** Parameters with a suffix, by suffix. */
  suffixed: Map<string, Node<Route>>;
  /** The parameter's name in the template. */
  parameterName: string;
  routes: Map<string, Route>;
}

const noValues: readonly string[] = [];

/**
 * Finds routes by method and path, in a time that doesn't grow with their number. Fixed text takes precedence
 * over a parameter: /messages/read is never a message with the id "read".
 */
export class RouteTree<Route> {
  readonly #root = createNode<Route>();
  /** Whole paths without parameters, which are most of the traffic. */
  readonly #plain = new Map<string, Found<Route>>();

  add(method: string, segments: readonly Segment[], route: Route): void {
    let node = this.#root;
    for (const { text, parameter, suffix } of segments) {
      if (text !== undefined) node = child(node.fixed, text);
      else if (suffix !== undefined) node = child(node.suffixed, suffix);
      else if (parameter !== undefined) {
        node.parameterName = parameter;
        node = node.parameter ??= createNode();
      }
    }
    const path = `/${segments.map((segment) => segment.text ?? `{${segment.parameter}}${segment.suffix ?? ''}`).join('/')}`;
    if (node.routes.has(method)) throw internal(`two operations want ${method} ${path}`);
    node.routes.set(method, route);
    if (segments.every((segment) => segment.text !== undefined)) {
      this.#plain.set(path, { routes: node.routes, values: noValues });
    }
  }

  /**
   * Finds the routes of `path` (raw, without the query); undefined if there are none. Ignores a trailing
   * slash. Throws bad_request for a malformed percent-encoding.
   */
  find(path: string): Found<Route> | undefined {
    const plain = this.#plain.get(path);
    if (plain !== undefined) return plain;
    const values: string[] = [];
    const node = search(this.#root, segmentsOf(path).map(decodeSegment), 0, values);
    return node && { routes: node.routes, values };
  }

  /** The template that `path` most likely meant; undefined if none is close. */
  nearest(path: string): string | undefined {
    const near = searchNear(this.#root, segmentsOf(path));
    return near && `/${near.join('/')}`;
  }
}

/** More than any template has; bounds the work on paths with thousands of segments. */
const mostSegments = 20;

function segmentsOf(path: string): string[] {
  const segments = path.split('/', mostSegments + 1).slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
}

function createNode<Route>(): Node<Route> {
  return {
    fixed: new Map(),
    parameter: undefined,
    suffixed: new Map(),
    parameterName: '',
    routes: new Map(),
  };
}

function child<Route>(children: Map<string, Node<Route>>, text: string): Node<Route> {
  const found = children.get(text) ?? createNode<Route>();
  children.set(text, found);
  return found;
}

function search<Route>(
  node: Node<Route>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<Route> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.routes.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  const found = fixed && search(fixed, segments, index + 1, values);
  if (found !== undefined) return found;
  for (const [suffix, ended] of node.suffixed) {
    if (!segment.endsWith(suffix) || segment.length === suffix.length) continue;
    values.push(segment.slice(0, -suffix.length));
    const below = search(ended, segments, index + 1, values);
    if (below !== undefined) return below;
    values.pop();
  }
  if (node.parameter === undefined || segment === '') return undefined;
  values.push(segment);
  const below = search(node.parameter, segments, index + 1, values);
  if (below === undefined) values.pop();
  return below;
}

/**
 * Each fixed segment may be misspelt on its own. Searches no deeper than the tree, and at most doubles the
 * branches with each segment.
 */
function searchNear<Route>(
  node: Node<Route>,
  [segment, ...rest]: readonly string[],
): readonly string[] | undefined {
  if (segment === undefined) return node.routes.size > 0 ? [] : undefined;
  const text = node.fixed.has(segment) ? segment : nearest(segment, node.fixed.keys());
  const child = text === null ? undefined : node.fixed.get(text);
  const fixed = child && searchNear(child, rest);
  if (fixed !== undefined) return [text!, ...fixed];
  if (node.parameter === undefined || segment === '') return undefined;
  const below = searchNear(node.parameter, rest);
  return below && [`{${node.parameterName}}`, ...below];
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('the path holds a malformed percent-encoding; encode it as UTF-8', {
      code: 'bad_field',
    });
  }
}
