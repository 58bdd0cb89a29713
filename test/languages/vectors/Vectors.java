import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** Prints for each token vector whether the page's code accepts it, as JSON. */
final class Vectors {
    static boolean isAccepted(JsonNode vector) {
        try {
            var claims = Server.verify(vector.get("token").asText(), vector.get("secret").asText(), vector.get("now").asLong());
            return Server.isBound(claims, vector.path("body").asText().getBytes(StandardCharsets.UTF_8));
        } catch (Exception refused) {
            return false;
        }
    }

    public static void main(String[] arguments) throws Exception {
        var verdicts = new ArrayList<Boolean>();
        for (JsonNode vector : Server.JSON.readTree(new File(arguments[0])).get("vectors")) verdicts.add(isAccepted(vector));
        System.out.println(verdicts);
    }
}
