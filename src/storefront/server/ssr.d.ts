/** The storefront's server rendering, as the build makes it. */
declare module '#ssr' {
  export const renderPage: import('#storefront/page-data.ts').RenderPage;
  export const renderOrder: import('#storefront/page-data.ts').RenderOrder;
  export const renderWithoutScript: import('#storefront/page-data.ts').RenderWithoutScript;
  export const renderLinkedDish: import('#storefront/page-data.ts').RenderLinkedDish;
}
