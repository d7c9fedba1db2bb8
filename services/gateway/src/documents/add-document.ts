import type { Express, Request, Response } from 'express';
import {
  createExchange,
  type Exchange,
  type Fail,
  type Floods,
  methodNotAllowed,
  type Observe,
  probes,
  sendEmpty,
} from '../http/module.ts';

/** Answers one request for a document. */
type Answer = (exchange: Exchange) => Promise<void> | void;

export interface Deps {
  app: Express;
  floods: Pick<Floods, 'check' | 'price'>;
  fail: Fail;
  observe: Observe;
}

/**
 * Adds a document, with the errors, methods and metrics of declared operations.
 */
export type AddDocument = (name: string, path: string, answer: Answer, more?: DocumentOptions) => void;

export interface DocumentOptions {
  /** Additional headers of the answer to OPTIONS. */
  preflight?: readonly string[];
  /** The points that a request costs before its caller is authenticated. */
  points?: number;
}

const allow = ['GET', 'HEAD', 'OPTIONS'];

export function createAddDocument({ app, floods, fail, observe }: Deps): AddDocument {
  return (name, path, answer, { preflight = [], points = 1 } = {}) => {
    const serve = async (exchange: Exchange): Promise<void> => {
      const { request, response } = exchange;
      try {
        if (!probes.has(path)) {
          floods.price(request, points);
          floods.check(request);
        }
        if (request.method === 'OPTIONS') sendEmpty(response, 204, ['Allow', allow.join(', '), ...preflight]);
        else if (request.method === 'GET' || request.method === 'HEAD') await answer(exchange);
        else throw methodNotAllowed(request.method, allow);
      } catch (thrown) {
        fail(exchange, thrown);
      }
    };
    app.route(path).all((request: Request, response: Response) => {
      const exchange = createExchange(request, response, name, path);
      return observe(exchange, () => serve(exchange));
    });
  };
}
