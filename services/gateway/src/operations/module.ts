export {
  type Binding,
  type HttpMethod,
  type Operation,
  publicServices,
  readOperations,
} from './operations.ts';
export { parseTemplate, type Segment } from './template.ts';
