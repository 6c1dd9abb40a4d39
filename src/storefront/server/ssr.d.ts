/** The module of the build that renders the storefront on the server. */
declare module '#ssr' {
  import type { RenderLinkedDish, RenderOrder, RenderPage, RenderNoScriptContent } from '#storefront/page-data.ts';

  export const renderPage: RenderPage;
  export const renderOrder: RenderOrder;
  export const renderNoScriptContent: RenderNoScriptContent;
  export const renderLinkedDish: RenderLinkedDish;
}
