/** The routes of the embedded registry, which the first request loads. */
import { ENDPOINTS, type Operation } from "@seqreg/core/contract/paths";
import { withinBudget } from "../http/body_budget.ts";
import type { ServiceContext } from "../operations/context.ts";
import { answerDefinitions } from "../operations/answer_definitions.ts";
import { answerDownload } from "../operations/answer_download.ts";
import { describeRegistry } from "../openapi/openapi.ts";
import { makeExamples } from "../openapi/openapi_examples.ts";
import { jsonResponse, Refusal } from "../http/refusal.ts";
import { answerLandingPage, findOrigin } from "../pages/answer_landing_page.ts";
import { answerSearch } from "../operations/answer_search.ts";
import { answerSequence } from "../operations/answer_sequence.ts";
import { answerDatasetFile } from "../operations/answer_dataset_file.ts";

const HANDLERS: Readonly<Record<Operation, (request: Request, context: ServiceContext) => Promise<Response>>> = {
  datasets_download: answerDatasetFile,
  download: answerDownload,
  sequence: answerSequence,
  search: answerSearch,
  metadata_download: answerDefinitions,
};

/** Where the registry describes itself, to people and to programs. Outside `/v2`, and our choice. */
const LANDING_PATH = "/";
const DESCRIPTION_PATH = "/openapi.json";

/** Answers an operation, and then releases its share of the budget for bodies. */
async function handle(operation: Operation, request: Request, context: ServiceContext): Promise<Response> {
  return await withinBudget(context.bodies, request, () => HANDLERS[operation](request, context));
}

/** Answers an operation as a client sees it. */
async function ask(operation: Operation, request: Request, context: ServiceContext): Promise<Response> {
  try {
    return await handle(operation, request, context);
  } catch (error) {
    if (error instanceof Refusal) return error.toResponse();
    throw error;
  }
}

/** Makes a value when it is first wanted; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
}

/** A method and what answers it. */
interface Route {
  readonly method: string;
  readonly answer: (request: Request) => Promise<Response>;
}

/** Makes the function that answers; it throws {@linkcode Refusal} and unexpected errors. */
export function createRoutes(context: ServiceContext): (request: Request) => Promise<Response> {
  const examples = once(() => makeExamples(context, (operation, request) => ask(operation, request, context)));
  const description = once(async () => describeRegistry(context, await examples()));
  const facts = once(async () => {
    const { store } = context;
    return { store, examples: await examples(), origin: await findOrigin(store) };
  });
  const routes = new Map<string, Route>([
    [LANDING_PATH, { method: "GET", answer: async (request) => await answerLandingPage(request, await facts()) }],
    [DESCRIPTION_PATH, { method: "GET", answer: async () => jsonResponse(await description()) }],
    ...Object.entries(ENDPOINTS).map(([operation, { method, path }]): [string, Route] => [
      path,
      { method, answer: (request) => handle(operation as Operation, request, context) },
    ]),
  ]);
  return async (request) => {
    const path = pathOf(request);
    const route = routes.get(path);
    if (route === undefined) {
      const paths = Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${path}`).join(", ");
      throw new Refusal(404, `There is nothing at this path; the operations are ${paths}`);
    }
    if (request.method === route.method) return await route.answer(request);
    if (request.method === "HEAD" && route.method === "GET") {
      const response = await route.answer(request);
      await response.body?.cancel();
      return new Response(null, response);
    }
    const allow = route.method === "GET" ? "GET, HEAD" : route.method;
    throw new Refusal(405, `Method not allowed: ${request.method} ${path}; expected ${allow}`, { allow });
  };
}

/** The path of a request, with letters for what is escaped without need. */
function pathOf({ url }: Request): string {
  const { pathname } = new URL(url);
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
