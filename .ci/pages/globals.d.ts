// The globals of Swagger UI's bundle, which has no types.
interface Window {
  SwaggerUIBundle: any;
}
