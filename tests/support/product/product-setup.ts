import type { TestProject } from 'vitest/node';
import { type Product, startProduct } from './product-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One product per runner worker, so that parallel files never share one. */
    products: Product[];
  }
}

/** Starts the products of a journey run, one per worker, unless the test command passes in running ones. */
export default async function setup(project: TestProject) {
  const runningProducts = process.env.TILLWAY_TEST_PRODUCTS;
  if (runningProducts) {
    project.provide('products', JSON.parse(runningProducts) as Product[]);
    return;
  }
  const count = Number(project.config.maxWorkers);
  const running = await Promise.all(Array.from({ length: count }, () => startProduct()));
  project.provide(
    'products',
    running.map(({ stop: _stop, ...product }) => product),
  );
  return async () => {
    await Promise.all(running.map(({ stop }) => stop()));
  };
}
