/** The module of the build that renders the storefront on the server. */
declare module '#ssr' {
  import type { RenderLinkedDish, RenderOrder, RenderPage, RenderWithoutScript } from '#storefront/page-data.ts';

  export const renderPage: RenderPage;
  export const renderOrder: RenderOrder;
  export const renderWithoutScript: RenderWithoutScript;
  export const renderLinkedDish: RenderLinkedDish;
}
